import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../../messages/use-messages.ts';

/** Asks before another page takes the place of one with unsaved changes. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useMessages('form');
  const { cancel } = useMessages('parts');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={t.leave}>
      <Text size="sm" mb="md">
        {t.leave_about}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => reset?.()}>
          {cancel}
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          {t.leave_action}
        </Button>
      </Group>
    </Modal>
  );
}
