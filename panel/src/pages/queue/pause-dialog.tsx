import { TextInput } from '@mantine/core';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

/** Pauses a destination before there is mail for it. */
export function PauseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('queue');
  const pause = useChange('panel_pause_destination', {
    onDone: ({ destination }) => toast(t.is_paused(destination)),
  });
  return (
    <FormDialog
      title={t.pause_one}
      opened={opened}
      onClose={onClose}
      submit={t.pause}
      initial={{ destination: '' }}
      onSubmit={async ({ destination }) =>
        await pause.mutateAsync({ params: { destination: destination.trim() } })
      }
    >
      {(form) => (
        <TextInput
          label={t.destination}
          description={t.destination_help}
          placeholder="example.com"
          required
          data-autofocus
          {...form.getInputProps('destination')}
        />
      )}
    </FormDialog>
  );
}
