import { NumberInput, TextInput } from '@mantine/core';
import { refresh } from '../../api/session.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { ZoneSelect } from '../../parts/zone-select.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';

const blank = {
  slug: '',
  name: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  plan_send_limit: '' as number | '',
};

export function NewInstanceDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('operator');
  const create = useAccountChange('panel_operator_create_instance', () => toast(t.made));
  return (
    <FormDialog
      title={t.make}
      opened={opened}
      onClose={onClose}
      initial={blank}
      submit={t.make}
      onSubmit={async ({ plan_send_limit, ...body }) => {
        const limit = plan_send_limit === '' ? null : plan_send_limit;
        await create.mutateAsync({ body: { ...body, plan_send_limit: limit } });
        // The session lists the instances that one is a member of.
        await refresh();
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.slug}
            description={t.slug_help}
            data-autofocus
            {...form.getInputProps('slug')}
          />
          <TextInput label={t.name} {...form.getInputProps('name')} />
          <ZoneSelect label={t.timezone} {...form.getInputProps('timezone')} />
          <NumberInput
            label={t.plan}
            description={t.plan_help}
            min={0}
            allowDecimal={false}
            thousandSeparator=" "
            {...form.getInputProps('plan_send_limit')}
          />
        </>
      )}
    </FormDialog>
  );
}
