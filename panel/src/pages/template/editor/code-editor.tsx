import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef } from 'react';
import { useMessages } from '../../../messages/use-messages.ts';
import type { CodeEditorProps, Place } from './code-editor-props.ts';
import { completionsOf, languageOf, type CodeLanguage } from './languages.ts';
import { look } from './look.ts';

const fixed: Extension = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  look,
];

/** HTML, MJML or text with Liquid in it. What is typed is told; what is given replaces it when it is another. */
export function CodeEditor({
  value,
  onChange,
  language,
  label,
  problems,
  variables,
  readOnly = false,
  ref,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const parts = useRef({ language: new Compartment(), words: new Compartment() });
  const now = useRef({ value, onChange, variables, label, readOnly, language });
  const phrases = useMessages('editor');
  useEffect(() => {
    Object.assign(now.current, { onChange, variables });
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const { language: languagePart, words } = parts.current;
    const first = now.current;
    const editor = new EditorView({
      parent: host.current,
      doc: first.value,
      extensions: [
        fixed,
        languagePart.of(supportOf(first.language, () => now.current.variables)),
        words.of([]),
        EditorState.readOnly.of(first.readOnly),
        EditorView.contentAttributes.of({ 'aria-label': first.label, tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          now.current.value = update.state.doc.toString();
          now.current.onChange(now.current.value);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const support = supportOf(language, () => now.current.variables);
    view.current?.dispatch({ effects: parts.current.language.reconfigure(support) });
  }, [language]);
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.words.reconfigure(EditorState.phrases.of(phrases)) });
  }, [phrases]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || value === now.current.value) return;
    now.current.value = value;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state.doc, problems)));
  }, [problems]);
  useImperativeHandle(ref, () => ({
    goTo(place) {
      const editor = view.current;
      if (!editor) return;
      const anchor = offsetOf(editor.state.doc, place);
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      editor.focus();
    },
  }));
  return <div ref={host} />;
}

function supportOf(language: CodeLanguage, variables: () => string[]): Extension {
  return [languageOf(language), autocompletion({ override: completionsOf(language, variables) })];
}

/** The text may have changed since the problem was found: never beyond its end. */
function offsetOf(doc: Text, { line, column }: Place): number {
  const { from, to } = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  return Math.min(from + Math.max((column ?? 1) - 1, 0), to);
}

function diagnosticsOf(doc: Text, problems: CodeEditorProps['problems']): Diagnostic[] {
  return problems
    .filter(({ line }) => line !== null)
    .map(({ message, ...place }) => {
      const from = offsetOf(doc, place);
      const { from: start, to, text } = doc.lineAt(from);
      const indent = text.length - text.trimStart().length;
      return { from: place.column === null ? start + indent : from, to, severity: 'error', message };
    });
}
