import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedApiKey } from '../../api/operations.ts';
import { AddressList } from '../../parts/address-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { grouped, type Scope } from './scopes.ts';
import styles from './scopes.module.css';

const blank = {
  name: '',
  scopes: ['mail:send'] as Scope[],
  ip_allowlist: [] as string[],
  sandbox_only: false,
  expires_at: 'never' as 'never' | '30' | '90' | '365',
};
const dayMs = 86_400_000;
const lifetimes = ['never', '30', '90', '365'] as const;

/** Creates a key. */
export function KeyDialog({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean;
  onClose: () => void;
  onCreated: (key: CreatedApiKey) => void;
}) {
  const t = useMessages('api_keys');
  const create = useChange('panel_create_api_key', { onDone: onCreated });
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={onClose}
      initial={blank}
      submit={t.add}
      size="lg"
      onSubmit={async ({ expires_at, ...body }) => {
        const lifetime = expires_at === 'never' ? undefined : Number(expires_at) * dayMs;
        const end = lifetime === undefined ? null : new Date(Date.now() + lifetime).toISOString();
        await create.mutateAsync({ body: { ...body, expires_at: end } });
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.name}
            description={t.name_help}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
            error={form.errors['scopes']}
          />
          <AddressList
            label={t.addresses}
            description={t.addresses_help}
            {...form.getInputProps('ip_allowlist')}
          />
          <Select
            label={t.expires}
            data={lifetimes.map((value) => ({ value, label: t.expiries[value] }))}
            allowDeselect={false}
            {...form.getInputProps('expires_at')}
          />
          <Checkbox
            label={t.sandbox_only}
            description={t.sandbox_only_help}
            {...form.getInputProps('sandbox_only', { type: 'checkbox' })}
          />
        </>
      )}
    </FormDialog>
  );
}

function ScopePicker({
  value,
  onChange,
  error,
}: {
  value: Scope[];
  onChange: (scopes: Scope[]) => void;
  error: React.ReactNode;
}) {
  const t = useMessages('api_keys');
  const choose = (scopes: Scope[]) => (
    <Button variant="subtle" size="compact-xs" onClick={() => onChange(scopes)}>
      {scopes.length === 0 ? t.no_scopes : t.all_scopes}
    </Button>
  );
  return (
    <Stack gap={6}>
      <Checkbox.Group
        label={t.scopes}
        description={t.scopes_help}
        value={value}
        onChange={onChange}
        error={error}
      >
        <div className={styles['groups']}>
          {grouped.map(([group, scopes]) => (
            <Stack key={group} gap={6}>
              <Text size="xs" fw={600} c="dimmed">
                {t.groups[group]}
              </Text>
              {scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={t.scope[scope]} description={scope} size="xs" />
              ))}
            </Stack>
          ))}
        </div>
      </Checkbox.Group>
      <Group gap="xs">
        {choose(grouped.flatMap(([, scopes]) => scopes))}
        {choose([])}
      </Group>
    </Stack>
  );
}
