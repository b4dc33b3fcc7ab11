import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { retryingLoad } from '../../../api/retrying-load.ts';
import styles from '../editor/editor.module.css';
import type { DifferencesProps } from '../editor/code-editor-props.ts';

const MergeView = lazy(
  retryingLoad(async () => ({ default: (await import('../editor/merge-view.tsx')).Merged })),
);

/** Two texts, with what differs marked. */
export function Differences(props: DifferencesProps) {
  return (
    <div className={styles['comparison']}>
      <Suspense fallback={<Skeleton height={160} />}>
        <MergeView {...props} />
      </Suspense>
    </div>
  );
}
