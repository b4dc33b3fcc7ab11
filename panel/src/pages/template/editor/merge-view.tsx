import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../../messages/use-messages.ts';
import type { DifferencesProps } from './code-editor-props.ts';
import { languageOf } from './languages.ts';
import { look } from './look.ts';

const collapseUnchanged = { margin: 3, minSize: 6 };

/** Side by side where there is room, else one below the other. */
export function Merged({ before, after, language, label }: DifferencesProps) {
  const host = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const phrases = useMessages('editor');
  useEffect(() => {
    if (!host.current) return undefined;
    const shown = (name: string): Extension => [
      lineNumbers(),
      look,
      languageOf(language),
      EditorState.phrases.of(phrases),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
    ];
    const view = isWide
      ? new MergeView({
          parent: host.current,
          a: { doc: before, extensions: shown(`${label} 1`) },
          b: { doc: after, extensions: shown(`${label} 2`) },
          collapseUnchanged,
          gutter: true,
        })
      : new EditorView({
          parent: host.current,
          doc: after,
          extensions: [
            shown(label),
            unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged }),
          ],
        });
    return () => view.destroy();
  }, [before, after, language, label, isWide, phrases]);
  return <div ref={host} />;
}
