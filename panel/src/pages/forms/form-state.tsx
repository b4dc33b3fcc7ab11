import type { Form } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

export function FormState({ form: { is_active } }: { form: Pick<Form, 'is_active'> }) {
  const t = useMessages('forms');
  return <StatusBadge tone={is_active ? 'good' : 'quiet'}>{is_active ? t.active : t.inactive}</StatusBadge>;
}
