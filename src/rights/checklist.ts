import type { RequestKind } from './request-schemas.ts';

/** What has to be done outside of this service, or by a person, before a request is answered. */
export const checklistSteps = [
  'identity_verified',
  'scope_clarified',
  'archive_reviewed',
  'retention_reviewed',
  'data_corrected',
  'purposes_reviewed',
  'other_systems',
  'recipients_informed',
  'answer_sent',
] as const;
export type ChecklistStep = (typeof checklistSteps)[number];

export const checklistOf: Record<RequestKind, readonly ChecklistStep[]> = {
  access: ['identity_verified', 'archive_reviewed', 'other_systems', 'answer_sent'],
  portability: ['identity_verified', 'archive_reviewed', 'other_systems', 'answer_sent'],
  rectification: [
    'identity_verified',
    'scope_clarified',
    'data_corrected',
    'other_systems',
    'recipients_informed',
    'answer_sent',
  ],
  erasure: ['identity_verified', 'retention_reviewed', 'other_systems', 'recipients_informed', 'answer_sent'],
  opposition: ['identity_verified', 'purposes_reviewed', 'other_systems', 'answer_sent'],
  blocking: ['identity_verified', 'scope_clarified', 'other_systems', 'answer_sent'],
};

export interface ChecklistItem {
  step: ChecklistStep;
  is_done: boolean;
}

/** A step that the kind does not have, as of a newer node, is left out. */
export function readChecklist(kind: RequestKind, checked: readonly string[]): ChecklistItem[] {
  return checklistOf[kind].map((step) => ({ step, is_done: checked.includes(step) }));
}
