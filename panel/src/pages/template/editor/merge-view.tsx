import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLanguage } from '../../../shell/languages.ts';
import type { DifferencesProps } from '../versions/differences.tsx';
import { languageOf } from './languages.ts';
import { look } from './look.ts';
import { phrases } from './phrases.ts';

const collapseUnchanged = { margin: 3, minSize: 6 };

/** Side by side where there is room, else one below the other. */
export function Merged({ before, after, language, label }: DifferencesProps) {
  const host = useRef<HTMLDivElement>(null);
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const spoken = useLanguage();
  useEffect(() => {
    if (!host.current) return undefined;
    const shown = (name: string): Extension => [
      lineNumbers(),
      look,
      languageOf(language),
      phrases(spoken),
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
  }, [before, after, language, label, isWide, spoken]);
  return <div ref={host} />;
}
