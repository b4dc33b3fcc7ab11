import { Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { InstanceSettings } from '../../api/operations.ts';
import { refresh } from '../../api/session.ts';
import { AddressList } from '../../parts/address-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { ZoneSelect } from '../../parts/zone-select.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { Form } from '../../parts/form.tsx';

export function SettingsForm({ settings }: { settings: InstanceSettings }) {
  const t = useMessages('settings');
  const update = useChange('panel_update_instance', { onDone: () => toast(t.saved) });
  const { name, timezone, ip_allowlist, requires_second_factor, reply_withdrawal, slug } = settings;
  const { form, problem, pointers, send } = useServiceForm(
    { name, timezone, ip_allowlist, requires_second_factor, reply_withdrawal },
    async (_values, changed) => {
      const saved = await update.mutateAsync({ body: changed });
      // What the service made of it, such as ranges without host bits, is what the next change starts from.
      form.setInitialValues({
        name: saved.name,
        timezone: saved.timezone,
        ip_allowlist: saved.ip_allowlist,
        requires_second_factor: saved.requires_second_factor,
        reply_withdrawal: saved.reply_withdrawal,
      });
      form.reset();
      // The name in the frame is of the session.
      if (saved.name !== name) await refresh();
    },
  );
  return (
    <Form onSubmit={send}>
      <Stack gap="md">
        <Section title={t.general}>
          <Stack gap="md" maw={480}>
            <TextInput label={t.name} description={t.name_help} {...form.getInputProps('name')} />
            <TextInput label={t.slug} value={slug} readOnly />
            <ZoneSelect
              label={t.timezone}
              description={t.timezone_help}
              {...form.getInputProps('timezone')}
            />
          </Stack>
        </Section>
        <Section title={t.access}>
          <AddressList
            label={t.addresses}
            description={t.addresses_help}
            {...form.getInputProps('ip_allowlist')}
          />
          <Switch
            mt="lg"
            label={t.second_factor}
            description={t.second_factor_help}
            {...form.getInputProps('requires_second_factor', { type: 'checkbox' })}
          />
        </Section>
        <Section title={t.receiving}>
          <Select
            maw={480}
            label={t.reply_withdrawal}
            description={t.reply_withdrawal_help}
            allowDeselect={false}
            data={(['offer', 'automatic', 'off'] as const).map((value) => ({
              value,
              label: t.reply_withdrawals[value],
            }))}
            {...form.getInputProps('reply_withdrawal')}
          />
        </Section>
        <ProblemAlert problem={problem} shown={pointers} />
        <div>
          <Button type="submit" loading={form.submitting}>
            {t.save}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
