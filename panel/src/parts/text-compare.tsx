import { Text } from '@mantine/core';
import { Fragment, useMemo } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './text-compare.module.css';
import { compareTexts, type Piece } from './text-diff.ts';

interface Side {
  label: string;
  text: string;
}

/** Two texts side by side, the older one first, with what is gone and what came marked. */
export function TextCompare({ before, after }: { before: Side; after: Side }) {
  const t = useMessages('text_compare');
  const lines = useMemo(() => compareTexts(before.text, after.text), [before.text, after.text]);
  const changed = lines.filter(({ is_same }) => !is_same).length;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {changed === 0 ? t.same : t.changed(changed)}
      </Text>
      <div className={styles['box']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{before.label}</th>
              <th scope="col">{after.label}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={`${index} ${line.is_same}`} data-changed={!line.is_same || undefined}>
                <td>{line.before?.map(shown)}</td>
                <td>{line.after?.map(shown)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Blanks at the end are not marked: lines under them would say nothing. */
function shown({ kind, text }: Piece, index: number) {
  const key = `${index} ${kind}`;
  if (kind === 'same') return <span key={key}>{text}</span>;
  const Mark = kind === 'removed' ? 'del' : 'ins';
  const marked = text.trimEnd();
  return (
    <Fragment key={key}>
      <Mark>{marked}</Mark>
      {text.slice(marked.length)}
    </Fragment>
  );
}
