import type { ConsentTerm } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { currentOf } from './catalogue.ts';

/** Whether somebody can agree to it now. */
export function TermState({ term }: { term: ConsentTerm }) {
  const t = useMessages('consent');
  if (!term.is_active) return <StatusBadge tone="quiet">{t.inactive}</StatusBadge>;
  if (!currentOf(term)) return <StatusBadge tone="warn">{t.no_current}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
