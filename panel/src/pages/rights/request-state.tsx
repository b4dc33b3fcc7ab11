import type { RightsRequest } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

const tones: Record<RightsRequest['status'], Tone> = {
  unverified: 'quiet',
  open: 'info',
  fulfilled: 'good',
  refused: 'quiet',
};

export function RequestState({
  request: { status, is_overdue, started_at, stopped_at },
}: {
  request: Pick<RightsRequest, 'status' | 'is_overdue' | 'started_at' | 'stopped_at'>;
}) {
  const t = useMessages('rights');
  if (started_at !== null && stopped_at !== null) return <StatusBadge tone="bad">{t.stopped}</StatusBadge>;
  if (is_overdue) return <StatusBadge tone="bad">{t.overdue}</StatusBadge>;
  if (status === 'open' && started_at !== null) return <StatusBadge tone="warn">{t.running}</StatusBadge>;
  return <StatusBadge tone={tones[status]}>{t.statuses[status]}</StatusBadge>;
}
