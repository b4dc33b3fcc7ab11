import { Button, Checkbox, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConsentTerm } from '../../api/operations.ts';
import { ActionMenu } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { channels } from '../consent/catalogue.ts';
import { DependentSentences, useDependents } from './dependents.tsx';
import { VersionDialog } from './version-dialog.tsx';

/** What can be done to a term; nothing for those who only look. */
export function TermActions({ term }: { term: ConsentTerm }) {
  const t = useMessages('consent_term');
  const can = useCan();
  const [dialog, setDialog] = useState<'version' | 'edit'>();
  const activate = useChange('panel_update_consent_term', { onDone: () => toast(t.activated) });
  const deactivate = useChange('panel_update_consent_term', { onDone: () => toast(t.deactivated) });
  const params = { id: term.id };
  const close = (): void => setDialog(undefined);
  if (!can('panel_update_consent_term')) return null;
  return (
    <>
      {!term.is_active && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} />}
          loading={activate.isPending}
          onClick={() => activate.mutate({ params, body: { is_active: true } })}
        >
          {t.activate}
        </Button>
      )}
      <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog('version')}>
        {t.add_version}
      </Button>
      <ActionMenu
        actions={[
          { label: t.edit, icon: IconPencil, run: () => setDialog('edit') },
          term.is_active && {
            label: t.deactivate,
            icon: IconPlayerPause,
            about: <DeactivateAbout id={term.id} />,
            isDangerous: true,
            run: async () => await deactivate.mutateAsync({ params, body: { is_active: false } }),
          },
        ]}
      />
      <VersionDialog term={term} opened={dialog === 'version'} onClose={close} />
      <EditDialog term={term} opened={dialog === 'edit'} onClose={close} />
    </>
  );
}

function EditDialog({ term, opened, onClose }: { term: ConsentTerm; opened: boolean; onClose: () => void }) {
  const t = useMessages('consent_term');
  const values = useMessages('consent_values');
  const update = useChange('panel_update_consent_term', { onDone: () => toast(t.saved) });
  return (
    <FormDialog
      title={t.edit_term}
      opened={opened}
      onClose={onClose}
      initial={{ name: term.name, channels: term.channels }}
      onSubmit={async (_values, body) => await update.mutateAsync({ params: { id: term.id }, body })}
    >
      {(form) => (
        <>
          <TextInput label={t.name} data-autofocus {...form.getInputProps('name')} />
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
          <Text size="sm" c="dimmed">
            {t.purposes_fixed}
          </Text>
        </>
      )}
    </FormDialog>
  );
}

function DeactivateAbout({ id }: { id: number }) {
  const t = useMessages('consent_term');
  const dependents = useDependents(id);
  return (
    <>
      {t.deactivate_about}
      {dependents ? <DependentSentences dependents={dependents} /> : <Skeleton height={96} mt="xs" />}
    </>
  );
}
