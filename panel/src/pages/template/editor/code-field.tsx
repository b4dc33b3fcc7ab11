import { Skeleton } from '@mantine/core';
import { lazy, Suspense, type Ref } from 'react';
import { retryingLoad } from '../../../shell/load-page.ts';
import styles from './editor.module.css';
import type { CodeLanguage } from './languages.ts';

export interface Place {
  line: number | null;
  column: number | null;
}

export interface CodeEditorHandle {
  goTo: (place: Place) => void;
}

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  label: string;
  problems: (Place & { message: string })[];
  /** Names to complete. */
  variables: string[];
  readOnly?: boolean;
  ref?: Ref<CodeEditorHandle>;
}

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
