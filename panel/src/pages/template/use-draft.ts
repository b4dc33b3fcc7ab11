import { useCallback, useState } from 'react';
import type { MailTemplateDetail } from '../../api/operations.ts';

/** What is edited; an empty text is none. */
export interface Draft {
  subject: string;
  editor: MailTemplateDetail['editor'];
  source: string;
  text: string;
}

export interface DraftState {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  isDirty: boolean;
  /** Somebody else saved another content since this draft began. */
  isOutdated: boolean;
  /** Takes over what is saved, and forgets the draft. */
  adopt: (saved: MailTemplateDetail) => void;
}

/** As the service takes it. */
export function contentOf({ subject, editor, source, text }: Draft) {
  return { subject: subject || null, editor, source: source || null, text: text || null };
}

function draftOf({ subject, editor, source, text }: MailTemplateDetail): Draft {
  return { subject: subject ?? '', editor, source: source ?? '', text: text ?? '' };
}

const members = ['subject', 'editor', 'source', 'text'] as const;
const isSame = (one: Draft, other: Draft): boolean => members.every((name) => one[name] === other[name]);

/** The unsaved content of a template. As long as nothing is changed it follows what is saved. */
export function useDraft(template: MailTemplateDetail): DraftState {
  const saved = draftOf(template);
  const [{ base, draft }, set] = useState({ base: saved, draft: saved });
  const isDirty = !isSame(base, draft);
  const isOutdated = !isSame(base, saved);
  if (isOutdated && !isDirty) set({ base: saved, draft: saved });
  const change = useCallback(
    (changes: Partial<Draft>) => set((state) => ({ ...state, draft: { ...state.draft, ...changes } })),
    [],
  );
  const adopt = useCallback((next: MailTemplateDetail) => {
    set({ base: draftOf(next), draft: draftOf(next) });
  }, []);
  return { draft, change, isDirty, isOutdated: isOutdated && isDirty, adopt };
}
