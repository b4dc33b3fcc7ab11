import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

export function TemplateState({ template }: { template: { is_published: boolean } }) {
  const { states } = useMessages('templates');
  return template.is_published ? (
    <StatusBadge tone="good">{states.published}</StatusBadge>
  ) : (
    <StatusBadge tone="quiet">{states.draft}</StatusBadge>
  );
}
