import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';

const tones: Record<Broadcast['state'], Tone> = {
  draft: 'quiet',
  scheduled: 'info',
  sending: 'info',
  paused: 'warn',
  sent: 'good',
  cancelled: 'quiet',
};

export const states = Object.keys(tones) as Broadcast['state'][];

export function BroadcastState({ state }: { state: Broadcast['state'] }) {
  const t = useMessages('broadcasts');
  return <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>;
}
