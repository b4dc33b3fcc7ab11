import { useState } from 'react';
import type { Form } from '../../api/operations.ts';
import { ApiProblem, type Violation } from '../../api/problem.ts';
import { useFollowedDraft } from '../../parts/use-followed-draft.ts';
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

/** The unsaved content of a form. */
export function useDraft(form: Form | undefined, first: Draft) {
  const followed = useFollowedDraft(form ? draftOf(form) : first, isSame);
  const [problem, setProblem] = useState<unknown>();
  return {
    ...followed,
    problem,
    setProblem,
    refused: problem instanceof ApiProblem ? problem.errors : [],
    adopt: (saved: Draft, sent: Draft) => {
      followed.adopt(saved, sent);
      setProblem(undefined);
    },
    discard: () => {
      followed.discard();
      setProblem(undefined);
    },
  };
}
