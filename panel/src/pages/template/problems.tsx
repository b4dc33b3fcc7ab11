import { UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { MailTemplateAnalysis } from '../../api/operations.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './template.module.css';

export type Problem = MailTemplateAnalysis['problems'][number];

/** What keeps the template from being saved, each a way to its line. */
export function Problems({
  problems,
  isBehind,
  onOpen,
}: {
  problems: Problem[];
  isBehind: boolean;
  onOpen: (problem: Problem) => void;
}) {
  const t = useMessages('template');
  const { number } = useFormat();
  return (
    <div className={styles['problems']} role="status" data-behind={isBehind || undefined}>
      {problems.length === 0 ? (
        <p className={styles['fine']}>
          <IconCircleCheck size={16} aria-hidden /> {t.no_problems}
        </p>
      ) : (
        <>
          <p className={styles['wrong']}>
            <IconAlertCircle size={16} aria-hidden /> {t.problems_count(number(problems.length))}
          </p>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.pointer} ${problem.line} ${problem.column} ${problem.message}`}>
                <UnstyledButton className={styles['problem']} onClick={() => onOpen(problem)}>
                  <strong>
                    {problem.line === null
                      ? t.pointers[problem.pointer]
                      : t.place(t.pointers[problem.pointer], number(problem.line))}
                  </strong>
                  <span>{problem.message}</span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
