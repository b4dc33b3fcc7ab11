import type { ConsentTerm } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { currentOf } from './catalogue.ts';
import { words } from './words.ts';

/** Whether somebody can agree to it now. */
export function TermState({ term }: { term: ConsentTerm }) {
  const t = useWords(words);
  if (!term.is_active) return <StatusBadge tone="quiet">{t.inactive}</StatusBadge>;
  if (!currentOf(term)) return <StatusBadge tone="warn">{t.no_current}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
