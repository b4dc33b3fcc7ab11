import type { RightsRequest } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

const tones: Record<RightsRequest['status'], Tone> = {
  unverified: 'quiet',
  open: 'info',
  fulfilled: 'good',
  refused: 'quiet',
};

export function RequestState({
  request: { status, is_overdue, started_at },
}: {
  request: Pick<RightsRequest, 'status' | 'is_overdue' | 'started_at'>;
}) {
  const t = useWords(words);
  if (is_overdue) return <StatusBadge tone="bad">{t.overdue}</StatusBadge>;
  if (status === 'open' && started_at !== null) return <StatusBadge tone="warn">{t.running}</StatusBadge>;
  return <StatusBadge tone={tones[status]}>{t.statuses[status]}</StatusBadge>;
}
