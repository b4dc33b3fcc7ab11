import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPencil, IconTrash, IconWorldUpload } from '@tabler/icons-react';
import type { ConsentTerm, ConsentTermVersion } from '../../api/operations.ts';
import { ActionButton } from '../../parts/actions.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { useDependents, useEventCount } from './dependents.tsx';
import { VersionDialog } from './version-dialog.tsx';
import { VersionState } from './version-state.tsx';

/** The way of a version: draft, published, current. */
export function VersionActions({ term, version }: { term: ConsentTerm; version: ConsentTermVersion }) {
  const t = useMessages('consent_term');
  const can = useCan();
  const [, change] = useUrlState();
  const [isEditing, { open, close }] = useDisclosure();
  const publish = useChange('panel_publish_consent_term_version', { onDone: () => toast(t.was_published) });
  const current = useChange('panel_set_current_consent_term_version', {
    onDone: () => toast(t.was_made_current),
  });
  const remove = useChange('panel_delete_consent_term_version', {
    onDone: () => {
      toast(t.was_deleted);
      change({ version: undefined, compare: undefined }, { replace: true });
    },
  });
  const params = { id: term.id, version_id: version.id };
  const isDraft = version.published_at === null;
  return (
    <Group gap="xs">
      <VersionState version={version} />
      {isDraft && can('panel_update_consent_term_version') && (
        <>
          <Button variant="default" size="xs" leftSection={<IconPencil size={14} />} onClick={open}>
            {t.edit}
          </Button>
          <ActionButton
            size="xs"
            action={{
              label: t.delete,
              icon: IconTrash,
              about: t.delete_about(version.version),
              isDangerous: true,
              run: async () => await remove.mutateAsync({ params }),
            }}
          />
        </>
      )}
      {isDraft && can('panel_publish_consent_term_version') && (
        <ActionButton
          size="xs"
          variant="filled"
          action={{
            label: t.publish,
            icon: IconWorldUpload,
            title: t.publish_title(version.version),
            about: t.publish_about,
            run: async () => await publish.mutateAsync({ params }),
          }}
        />
      )}
      {!isDraft && !version.is_current && can('panel_set_current_consent_term_version') && (
        <ActionButton
          size="xs"
          variant="filled"
          action={{
            label: t.make_current,
            icon: IconCheck,
            title: t.current_title(version.version),
            about: <CurrentAbout id={term.id} />,
            run: async () => await current.mutateAsync({ params }),
          }}
        />
      )}
      {isDraft && <VersionDialog term={term} version={version} opened={isEditing} onClose={close} />}
    </Group>
  );
}

/** What follows a new current version, and what does not. */
function CurrentAbout({ id }: { id: number }) {
  const t = useMessages('consent_term');
  const { number } = useFormat();
  const eventCount = useEventCount();
  const dependents = useDependents(id);
  return (
    <>
      <Text size="sm">{t.current_about(number(dependents?.form_count ?? 0))}</Text>
      <Text size="sm" mt="xs">
        {t.current_keeps(eventCount(dependents?.event_count ?? 0))}
      </Text>
    </>
  );
}
