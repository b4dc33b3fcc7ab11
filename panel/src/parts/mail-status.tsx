import { Text } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';
import { StatusBadge, type Tone } from './status-badge.tsx';
import { Time } from './time.tsx';

export const statuses = ['1', '2', '3', '4', '5', '6', '7'] as const;
type Status = (typeof statuses)[number];

const tones: Record<Status, Tone> = {
  '1': 'info',
  '2': 'info',
  '3': 'good',
  '4': 'quiet',
  '5': 'warn',
  '6': 'bad',
  '7': 'warn',
};

interface Scheduled {
  status: number | null;
  schedule_at: string | null;
}

/** Whether the mail waits for the time it was scheduled for. */
export function isScheduled({ status, schedule_at }: Scheduled): boolean {
  return status === 2 && schedule_at !== null && Date.parse(schedule_at) > Date.now();
}

/** The delivery status of a mail, in words; for scheduled mail, when it is sent. */
export function MailStatus({ status, schedule_at = null }: Pick<Scheduled, 'status'> & Partial<Scheduled>) {
  const t = useMessages('mail_status');
  if (isScheduled({ status, schedule_at })) {
    return (
      <>
        <StatusBadge tone="quiet">{t.scheduled}</StatusBadge>
        <Text component="div" size="xs" c="dimmed">
          <Time at={schedule_at} />
        </Text>
      </>
    );
  }
  const known = statuses.find((each) => each === String(status));
  return known ? <StatusBadge tone={tones[known]}>{t[known]}</StatusBadge> : <>—</>;
}
