import type { FormSubmission } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

type Status = FormSubmission['status'];
const tones: Record<Status, Tone> = { pending: 'warn', confirmed: 'good', expired: 'quiet' };

export function SubmissionState({ status }: { status: Status }) {
  const t = useMessages('form_submissions');
  return <StatusBadge tone={tones[status]}>{t.statuses[status]}</StatusBadge>;
}
