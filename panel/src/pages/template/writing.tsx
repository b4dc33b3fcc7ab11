import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import type { CodeEditorHandle } from './editor/code-editor-props.ts';
import { CodeField } from './editor/code-field.tsx';
import type { Edited } from './edited.ts';
import { Problems, type Problem } from './problems.tsx';

const none: Problem[] = [];

/** Subject, content and plain text, with what is wrong in them. */
export function Writing({ state, analysis, names, part }: Edited & { part: 'content' | 'text' }) {
  const t = useMessages('template');
  const [, change] = useUrlState();
  const { draft } = state;
  const problems = analysis.latest?.problems ?? none;
  const pointer = part === 'text' ? '/text' : '/source';
  const here = useMemo(() => problems.filter((each) => each.pointer === pointer), [problems, pointer]);
  const subject = useRef<HTMLInputElement>(null);
  const editor = useRef<CodeEditorHandle>(null);
  const open = (problem: Problem): void => {
    if (problem.pointer === '/subject') return subject.current?.focus();
    if (problem.pointer !== pointer) change({ part: partOf(problem) }, { replace: true });
    // The editor of the other part is there with the next frame.
    requestAnimationFrame(() => editor.current?.goTo(problem));
  };
  return (
    <Section>
      <TextInput
        ref={subject}
        label={t.subject}
        placeholder={t.subject_hint}
        maxLength={254}
        value={draft.subject}
        onChange={({ target }) => state.change({ subject: target.value })}
        error={problems.find((each) => each.pointer === '/subject')?.message}
        mb="sm"
      />
      <Group justify="space-between" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t.part}
          value={part}
          onChange={(chosen) => change({ part: chosen === 'text' ? 'text' : undefined }, { replace: true })}
          data={(['content', 'text'] as const).map((value) => ({ value, label: t.parts[value] }))}
        />
        {part === 'content' && (
          <SegmentedControl
            size="xs"
            aria-label={t.written_in}
            value={draft.editor}
            onChange={(chosen) => state.change({ editor: chosen })}
            data={(['html', 'mjml'] as const).map((value) => ({ value, label: t.editors[value] }))}
          />
        )}
      </Group>
      <CodeField
        key={part}
        ref={editor}
        label={t.parts[part]}
        language={part === 'text' ? 'text' : draft.editor}
        value={part === 'text' ? draft.text : draft.source}
        onChange={(value) => state.change(part === 'text' ? { text: value } : { source: value })}
        problems={here}
        variables={names}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {part === 'text' && draft.text === '' ? `${t.text_help} ` : ''}
        {t.keys}
      </Text>
      <ProblemAlert problem={analysis.error} />
      <Problems problems={problems} isBehind={analysis.isBehind} onOpen={open} />
    </Section>
  );
}

function partOf({ pointer }: Problem): 'text' | undefined {
  return pointer === '/text' ? 'text' : undefined;
}
