import { Modal } from '@mantine/core';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** Why it was not saved, over the page: the button may stand far from the mistake. */
export function SaveProblem({ problem, onClose }: { problem: unknown; onClose: () => void }) {
  const t = useMessages('template');
  return (
    <Modal opened={Boolean(problem)} onClose={onClose} title={t.not_saved}>
      <ProblemAlert problem={problem} />
    </Modal>
  );
}
