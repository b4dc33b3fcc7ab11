import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { Form } from './form.tsx';

/** Something that a person can do. With `about` the person is asked first. */
export interface Action {
  label: string;
  icon?: Icon;
  run: () => unknown;
  /** What will happen, in numbers. */
  about?: ReactNode;
  /** Above the question, where the label says too little. */
  title?: string;
  /** To be typed, where there is no way back. */
  name?: string | undefined;
  isDangerous?: boolean;
  isDisabled?: boolean;
}

/** The question before an action; it is open while there is one. */
export function ConfirmDialog({ action, onClose }: { action: Action | undefined; onClose: () => void }) {
  const title = action?.title ?? action?.label ?? '';
  // A dialog keeps its title until it has gone.
  const [shown, setShown] = useState(title);
  if (action && shown !== title) setShown(title);
  return (
    <Modal opened={action !== undefined} onClose={onClose} title={shown}>
      {action && <Question action={action} onClose={onClose} />}
    </Modal>
  );
}

function Question({
  action: { label, about, name, isDangerous = false, run },
  onClose,
}: {
  action: Action;
  onClose: () => void;
}) {
  const t = useMessages('parts');
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Form onSubmit={confirm}>
      <Stack gap="md">
        <Text component="div" size="sm">
          {about}
          {name !== undefined && (
            <Text mt="xs" size="sm" fw={600}>
              {t.cannot_undo}
            </Text>
          )}
        </Text>
        {name !== undefined && (
          <TextInput
            label={t.type_to_confirm(name)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ProblemAlert problem={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red' : 'green'}
            loading={isBusy}
            disabled={name !== undefined && typed.trim() !== name}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
