import { dictionary, useWords } from '../shell/languages.ts';
import { StatusBadge, type Tone } from './status-badge.tsx';

export const statusWords = dictionary({
  en: {
    '1': 'Received',
    '2': 'Queued',
    '3': 'Delivered',
    '4': 'Dropped',
    '5': 'Deferred',
    '6': 'Bounced',
    '7': 'On hold',
  },
  es: {
    '1': 'Recibido',
    '2': 'En cola',
    '3': 'Entregado',
    '4': 'Descartado',
    '5': 'Diferido',
    '6': 'Rebotado',
    '7': 'Retenido',
  },
});

type Status = keyof typeof statusWords.en;
export const statuses = Object.keys(statusWords.en) as Status[];

const tones: Record<Status, Tone> = {
  '1': 'info',
  '2': 'info',
  '3': 'good',
  '4': 'quiet',
  '5': 'warn',
  '6': 'bad',
  '7': 'warn',
};

/** The delivery status of a mail, in words. */
export function MailStatus({ status }: { status: number | null }) {
  const t = useWords(statusWords);
  const known = statuses.find((each) => each === String(status));
  return known ? <StatusBadge tone={tones[known]}>{t[known]}</StatusBadge> : <>—</>;
}
