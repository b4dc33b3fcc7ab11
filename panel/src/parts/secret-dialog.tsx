import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { CopyField } from './copy-field.tsx';

/** A secret, this once. It is closed by saying that it is stored, not by chance. */
export function SecretDialog({
  title,
  secrets,
  onStored,
  children,
}: {
  title: string;
  /** Undefined: closed. */
  secrets: { label: string; value: string }[] | undefined;
  onStored: () => void;
  children?: ReactNode;
}) {
  const t = useMessages('parts');
  return (
    <Modal
      opened={secrets !== undefined}
      onClose={onStored}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Alert icon={<IconKey size={18} />} color="yellow">
          {t.shown_once}
        </Alert>
        {secrets?.map(({ label, value }) => (
          <div key={label}>
            <strong>{label}</strong>
            <CopyField value={value} label={label} block />
          </div>
        ))}
        {children}
        <Group justify="flex-end">
          <Button onClick={onStored} data-autofocus>
            {t.stored}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
