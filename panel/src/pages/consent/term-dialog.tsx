import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ConsentTerm } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { channels, useCatalogue, type Channel } from './catalogue.ts';

const types = ['subscription', 'marketing', 'data_processing', 'service_terms', 'other'] as const;
const blank = {
  name: '',
  type: 'subscription' as ConsentTerm['type'],
  purpose_ids: [] as string[],
  channels: ['mail'] as Channel[],
};

/** Makes a term; its text follows on its own page. */
export function TermDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('consent');
  const values = useMessages('consent_values');
  const { slug } = useApi();
  const navigate = useNavigate();
  const { purposes } = useCatalogue();
  const create = useChange('panel_create_consent_term', {
    onDone: ({ id }) => {
      toast(t.term_created);
      void navigate(linkTo(slug, { page: 'consent_term', id }));
    },
  });
  return (
    <FormDialog
      title={t.add_term}
      opened={opened}
      onClose={onClose}
      initial={blank}
      submit={t.create}
      onSubmit={async ({ purpose_ids, ...body }) =>
        await create.mutateAsync({ body: { ...body, purpose_ids: purpose_ids.map(Number) } })
      }
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
            label={t.type}
            data={types.map((value) => ({ value, label: values.types[value] }))}
            {...form.getInputProps('type')}
          />
          <Checkbox.Group
            label={t.purposes}
            description={t.purposes_help}
            {...form.getInputProps('purpose_ids')}
          >
            <Stack gap="xs" mt="xs">
              {purposes
                .filter(({ is_enabled }) => is_enabled)
                .map(({ id, name }) => (
                  <Checkbox key={id} value={String(id)} label={name} />
                ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox.Group
            label={t.channels}
            description={t.channels_help}
            {...form.getInputProps('channels')}
          >
            <Stack gap="xs" mt="xs">
              {channels.map((value) => (
                <Checkbox key={value} value={value} label={values.channels[value]} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}
