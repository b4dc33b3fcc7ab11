import type { ConsentEvent } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** What an event says, or that it says nothing yet. */
export function EventState({ event: { status, rules } }: { event: Pick<ConsentEvent, 'status' | 'rules'> }) {
  const { statuses, actions } = useMessages('consent_values');
  if (status === 'pending') return <StatusBadge tone="warn">{statuses.pending}</StatusBadge>;
  if (status === 'expired') return <StatusBadge tone="quiet">{statuses.expired}</StatusBadge>;
  const said = (['allow', 'deny'] as const).filter((each) => rules.some(({ action }) => action === each));
  const tone: Tone = said.length === 2 ? 'info' : said[0] === 'deny' ? 'bad' : 'good';
  return <StatusBadge tone={tone}>{said.map((each) => actions[each]).join(' + ')}</StatusBadge>;
}
