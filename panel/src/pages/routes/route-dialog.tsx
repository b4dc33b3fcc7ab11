import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { InboundRoute } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

const blank = {
  name: '',
  domain_id: null as number | null,
  match: 'exact' as InboundRoute['match'],
  local_part: '',
  action: 'webhook' as InboundRoute['action'],
  forward_to: [] as string[],
  is_active: true,
};

function membersOf(given: typeof blank): typeof blank {
  const { name, domain_id, match, local_part, action, forward_to, is_active } = given;
  return { name, domain_id, match, local_part, action, forward_to, is_active };
}

const matches = ['exact', 'tag', 'prefix', 'catch_all'] as const;
const actions = ['webhook', 'store', 'forward', 'reject'] as const;

/** Adds a route, or changes the one given. */
export function RouteDialog({
  opened,
  onClose,
  route,
}: {
  opened: boolean;
  onClose: () => void;
  route?: InboundRoute;
}) {
  const t = useMessages('routes');
  const api = useApi();
  const domains = useQuery({
    ...api.read('panel_list_domains', { query: { page_size: 100 } }),
    enabled: opened,
  });
  const agreed = useQuery({
    ...api.read('panel_list_forward_addresses', { query: { page_size: 100 } }),
    enabled: opened,
  });
  const create = useChange('panel_create_inbound_route', { onDone: () => toast(t.added) });
  const update = useChange('panel_update_inbound_route', { onDone: () => toast(t.saved) });
  return (
    <FormDialog
      title={route ? t.edit : t.add}
      opened={opened}
      onClose={onClose}
      initial={membersOf(route ?? blank)}
      onSubmit={async (values) => {
        // What belongs to another choice is not sent with this one.
        const fitting = {
          ...values,
          local_part: values.match === 'catch_all' ? '' : values.local_part,
          forward_to: values.action === 'forward' ? values.forward_to : [],
        };
        const { domain_id, ...changes } = fitting;
        if (route) return await update.mutateAsync({ params: { id: route.id }, body: changes });
        return await create.mutateAsync({ body: { ...changes, domain_id: domain_id ?? 0 } });
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
          <Select
            label={t.domain}
            description={t.domain_help}
            disabled={route !== undefined}
            data={(domains.data?.data ?? []).map(({ id, domain }) => ({ value: String(id), label: domain }))}
            value={form.values.domain_id === null ? null : String(form.values.domain_id)}
            onChange={(chosen) => form.setFieldValue('domain_id', chosen === null ? null : Number(chosen))}
            error={form.errors['domain_id']}
          />
          <Select
            label={t.match}
            data={matches.map((value) => ({ value, label: t.matches[value] }))}
            allowDeselect={false}
            {...form.getInputProps('match')}
          />
          {form.values.match !== 'catch_all' && (
            <TextInput label={t.local_part} autoCapitalize="none" {...form.getInputProps('local_part')} />
          )}
          <Select
            label={t.action}
            description={t.action_help[form.values.action]}
            data={actions.map((value) => ({ value, label: t.actions[value] }))}
            allowDeselect={false}
            {...form.getInputProps('action')}
          />
          {form.values.action === 'forward' && (
            <MultiSelect
              label={t.forward_to}
              description={t.forward_to_help}
              data={(agreed.data?.data ?? [])
                .filter(({ is_verified }) => is_verified)
                .map(({ address }) => address)}
              {...form.getInputProps('forward_to')}
            />
          )}
          <Checkbox label={t.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
          {route && <DeleteRoute route={route} onDeleted={onClose} />}
        </>
      )}
    </FormDialog>
  );
}

function DeleteRoute({ route: { id, name }, onDeleted }: { route: InboundRoute; onDeleted: () => void }) {
  const t = useMessages('routes');
  const remove = useChange('panel_delete_inbound_route', { onDone: () => toast(t.removed) });
  return (
    <RemoveButton
      label={t.remove}
      icon={IconTrash}
      about={t.remove_about(name)}
      name={name}
      run={async () => {
        await remove.mutateAsync({ params: { id } });
        onDeleted();
      }}
    />
  );
}
