import type { Form } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

export function FormState({ form: { is_active } }: { form: Pick<Form, 'is_active'> }) {
  const t = useWords(words);
  return <StatusBadge tone={is_active ? 'good' : 'quiet'}>{is_active ? t.active : t.inactive}</StatusBadge>;
}
