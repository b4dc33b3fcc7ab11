import { useCallback, useState } from 'react';

interface State<Draft> {
  /** What was saved when it was last looked at. */
  seen: Draft;
  /** What the draft began from. */
  base: Draft;
  draft: Draft;
  isOutdated: boolean;
}

export interface FollowedDraft<Draft> {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  isDirty: boolean;
  /** Somebody else saved another content since this draft began. */
  isOutdated: boolean;
  /** Begins anew from what is saved. What was changed after `sent` stays, as a draft of it. */
  adopt: (saved: Draft, sent?: Draft) => void;
  /** Forgets what was changed. */
  discard: () => void;
}

/**
 * The unsaved content of something that others save too. As long as nothing is changed it follows what is saved: each time
 * that is another one, since what was saved here is known before it is read again.
 */
export function useFollowedDraft<Draft extends object>(
  saved: Draft,
  isSame: (one: Draft, other: Draft) => boolean,
): FollowedDraft<Draft> {
  const [state, set] = useState<State<Draft>>(() => begun(saved));
  const { seen, base, draft, isOutdated } = state;
  const isDirty = !isSame(base, draft);
  const isNews = !isSame(seen, saved);
  if (isDirty && isNews) set({ ...state, seen: saved, isOutdated: !isSame(base, saved) });
  if (!isDirty && (isNews || isOutdated)) set(begun(saved));
  const change = useCallback(
    (changes: Partial<Draft>) => set((present) => ({ ...present, draft: { ...present.draft, ...changes } })),
    [],
  );
  const adopt = useCallback(
    (next: Draft, sent?: Draft) =>
      set((present) => ({
        seen: present.seen,
        base: next,
        draft: sent === undefined || isSame(present.draft, sent) ? next : present.draft,
        isOutdated: false,
      })),
    [isSame],
  );
  const discard = useCallback(
    () => set((present) => (present.isOutdated ? begun(present.seen) : { ...present, draft: present.base })),
    [],
  );
  return { draft, change, isDirty, isOutdated: isOutdated && isDirty, adopt, discard };
}

function begun<Draft>(saved: Draft): State<Draft> {
  return { seen: saved, base: saved, draft: saved, isOutdated: false };
}
