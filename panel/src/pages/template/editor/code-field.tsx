import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { retryingLoad } from '../../../api/retrying-load.ts';
import styles from './editor.module.css';
import type { CodeEditorProps } from './code-editor-props.ts';

const CodeEditor = lazy(
  retryingLoad(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor })),
);

/** The editor, which is loaded when the first one is shown. */
export function CodeField(props: CodeEditorProps) {
  return (
    <div className={styles['editor']}>
      <Suspense fallback={<Skeleton height="100%" />}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}
