import { StatusBadge } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

export function TemplateState({ template }: { template: { is_published: boolean } }) {
  const { states } = useWords(words);
  return template.is_published ? (
    <StatusBadge tone="good">{states.published}</StatusBadge>
  ) : (
    <StatusBadge tone="quiet">{states.draft}</StatusBadge>
  );
}
