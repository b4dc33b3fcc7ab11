import { useState } from 'react';
import type { Form } from '../../api/operations.ts';
import { ApiProblem, type Violation } from '../../api/problem.ts';
import type { Catalogue } from './catalogue.ts';
import { draftOf, isSame, type ChangeDraft, type Draft } from './draft.ts';

/** What the tabs of the editor share. */
export interface Editing {
  /** As it is saved; none while it is new. */
  form: Form | undefined;
  draft: Draft;
  change: ChangeDraft;
  catalogue: Catalogue;
  /** What keeps the draft from being saved, as far as the preview knows. */
  problems: Violation[];
  /** What the service refused when it was last saved. */
  refused: Violation[];
}

export function useDraft(form: Form | undefined, first: Draft) {
  const [draft, setDraft] = useState(() => (form ? draftOf(form) : first));
  const [problem, setProblem] = useState<unknown>();
  const [before, setBefore] = useState(() => (form ? draftOf(form) : first));
  return {
    draft,
    problem,
    setProblem,
    refused: problem instanceof ApiProblem ? problem.errors : [],
    isDirty: !isSame(draft, before),
    change: (changes: Partial<Draft>) => setDraft((present) => ({ ...present, ...changes })),
    /** Starts again from what is saved. */
    restart: (saved: Draft) => {
      setDraft(saved);
      setBefore(saved);
      setProblem(undefined);
    },
    discard: () => {
      setDraft(before);
      setProblem(undefined);
    },
  };
}
