import { Text, TextInput } from '@mantine/core';
import type { Message } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { momentOf, wallTime } from '../../parts/zoned-time.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

const hourMs = 3_600_000;

/** Sends what was not attempted yet of a message at another time, in the zone of the instance. */
export function RescheduleDialog({
  message: { message_id, schedule_at, untried },
  opened,
  onClose,
}: {
  message: Message;
  opened: boolean;
  onClose: () => void;
}) {
  const t = useMessages('mail');
  const { number } = useFormat();
  const { timezone } = useInstance();
  const change = useChange('panel_schedule_message', { onDone: () => toast(t.rescheduled) });
  const at = schedule_at === null ? new Date(Date.now() + hourMs) : new Date(schedule_at);
  return (
    <FormDialog
      title={t.reschedule}
      opened={opened}
      onClose={onClose}
      submit={t.reschedule}
      initial={{ schedule_at: wallTime(at, timezone) }}
      onSubmit={async (values) => {
        const body = { schedule_at: momentOf(values.schedule_at, timezone) };
        await change.mutateAsync({ params: { message_id }, body });
      }}
    >
      {(form) => (
        <>
          <Text size="sm">{t.reschedule_about(number(untried))}</Text>
          <TextInput
            type="datetime-local"
            label={t.schedule_at}
            description={t.zone(timezone)}
            {...form.getInputProps('schedule_at')}
          />
        </>
      )}
    </FormDialog>
  );
}
