import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { OperatorInstance } from '../../api/operations.ts';
import { AddressList } from '../../parts/address-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { ZoneSelect } from '../../parts/zone-select.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';

const limits = [
  'attachment_limit_bytes',
  'retention_months',
  'bandwidth_bytes_per_second',
  'bandwidth_burst_bytes',
  'requests_per_second',
  'requests_burst',
  'smtp_messages_per_second',
] as const;
/** For which 0 means that there is no limit. */
const optional = new Set<string>(['requests_per_second', 'smtp_messages_per_second']);

/** Plan, limits and whether it may send at all. */
export function InstanceDialog({ instance, onClose }: { instance: OperatorInstance; onClose: () => void }) {
  const t = useMessages('operator');
  const update = useAccountChange('panel_operator_update_instance', () => toast(t.saved));
  const { slug, created_at: _created, updated_at: _updated, ...settings } = instance;
  const initial = { ...settings, plan_send_limit: settings.plan_send_limit ?? ('' as const) };
  return (
    <FormDialog
      title={slug}
      opened
      onClose={onClose}
      initial={initial}
      size="lg"
      onSubmit={async (_values, { plan_send_limit, ...changed }) => {
        const limit = plan_send_limit === '' ? null : plan_send_limit;
        const plan = limit === undefined ? {} : { plan_send_limit: limit };
        await update.mutateAsync({ params: { slug }, body: { ...changed, ...plan } });
      }}
    >
      {(form) => (
        <>
          <TextInput label={t.name} {...form.getInputProps('name')} />
          <ZoneSelect label={t.timezone} {...form.getInputProps('timezone')} />
          <Switch
            label={t.enabled}
            description={t.enabled_help}
            {...form.getInputProps('is_enabled', { type: 'checkbox' })}
          />
          <Switch
            label={t.subscription}
            description={t.subscription_help}
            checked={form.values.subscription_status === 'active'}
            onChange={({ target }) =>
              form.setFieldValue('subscription_status', target.checked ? 'active' : 'inactive')
            }
          />
          <NumberInput
            label={t.plan}
            description={t.plan_help}
            min={0}
            allowDecimal={false}
            thousandSeparator=" "
            {...form.getInputProps('plan_send_limit')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
            {limits.map((name) => (
              <NumberInput
                key={name}
                label={t[name]}
                description={optional.has(name) ? t.zero_off : undefined}
                min={0}
                allowDecimal={false}
                thousandSeparator=" "
                {...form.getInputProps(name)}
              />
            ))}
          </SimpleGrid>
          <AddressList
            label={t.addresses}
            description={t.addresses_help}
            {...form.getInputProps('ip_allowlist')}
          />
        </>
      )}
    </FormDialog>
  );
}
