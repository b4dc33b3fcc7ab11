import type { FormSubmission } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { submissionWords } from './submission-words.ts';

type Status = FormSubmission['status'];
const tones: Record<Status, Tone> = { pending: 'warn', confirmed: 'good', expired: 'quiet' };

export function SubmissionState({ status }: { status: Status }) {
  const t = useWords(submissionWords);
  return <StatusBadge tone={tones[status]}>{t.statuses[status]}</StatusBadge>;
}
