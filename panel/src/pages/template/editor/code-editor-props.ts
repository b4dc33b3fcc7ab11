import type { Ref } from 'react';
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

export interface DifferencesProps {
  before: string;
  after: string;
  language: CodeLanguage;
  label: string;
}
