import type { MailTemplateDetail } from '../../api/operations.ts';
import { useFollowedDraft, type FollowedDraft } from '../../parts/use-followed-draft.ts';

/** What is edited; an empty text counts as absent. */
export interface Draft {
  subject: string;
  editor: MailTemplateDetail['editor'];
  source: string;
  text: string;
}

export type DraftState = FollowedDraft<Draft>;

type Content = Pick<MailTemplateDetail, 'subject' | 'editor' | 'source' | 'text'>;

/** As the service takes it. */
export function contentOf({ subject, editor, source, text }: Draft) {
  return { subject: subject || null, editor, source: source || null, text: text || null };
}

export function draftOf({ subject, editor, source, text }: Content): Draft {
  return { subject: subject ?? '', editor, source: source ?? '', text: text ?? '' };
}

const members = ['subject', 'editor', 'source', 'text'] as const;
const isSame = (one: Draft, other: Draft): boolean => members.every((name) => one[name] === other[name]);

/** The unsaved content of a template. */
export function useDraft(template: MailTemplateDetail): DraftState {
  return useFollowedDraft(draftOf(template), isSame);
}
