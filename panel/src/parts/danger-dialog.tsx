import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { Form } from './form.tsx';

interface DangerDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What will happen, in numbers. */
  children: ReactNode;
  action: string;
  /** To be typed, where there is no way back. */
  name?: string;
  /** False where it can be undone, and only has a reach that is worth a question. */
  isDangerous?: boolean;
  onConfirm: () => Promise<unknown>;
}

/** Before something is taken away. */
export function DangerDialog(props: DangerDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      {props.opened && <DangerBody {...props} />}
    </Modal>
  );
}

function DangerBody({ onClose, children, action, name, isDangerous = true, onConfirm }: DangerDialogProps) {
  const t = useMessages('parts');
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Form
      onSubmit={() => {
        void confirm();
      }}
    >
      <Stack gap="md">
        <Text component="div" size="sm">
          {children}
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
            {action}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
