import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash, IconWorldUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConsentTerm, ConsentTermVersion } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { useDependents, useEventCount } from './dependents.tsx';
import { VersionDialog } from './version-dialog.tsx';
import { VersionState } from './version-state.tsx';

type Dialog = 'edit' | 'publish' | 'current' | 'delete';

interface VersionProps {
  term: ConsentTerm;
  version: ConsentTermVersion;
}

/** The way of a version: draft, published, current. */
export function VersionActions({ term, version }: VersionProps) {
  const t = useMessages('consent_term');
  const can = useCan();
  const [dialog, setDialog] = useState<Dialog>();
  const isDraft = version.published_at === null;
  const close = (): void => setDialog(undefined);
  return (
    <Group gap="xs">
      <VersionState version={version} />
      {isDraft && can('panel_update_consent_term_version') && (
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} />}
            onClick={() => setDialog('edit')}
          >
            {t.edit}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} />}
            onClick={() => setDialog('delete')}
          >
            {t.delete}
          </Button>
        </>
      )}
      {isDraft && can('panel_publish_consent_term_version') && (
        <Button size="xs" leftSection={<IconWorldUpload size={14} />} onClick={() => setDialog('publish')}>
          {t.publish}
        </Button>
      )}
      {!isDraft && !version.is_current && can('panel_set_current_consent_term_version') && (
        <Button size="xs" leftSection={<IconCheck size={14} />} onClick={() => setDialog('current')}>
          {t.make_current}
        </Button>
      )}
      {isDraft && <VersionDialog term={term} version={version} opened={dialog === 'edit'} onClose={close} />}
      <ConfirmDialogs term={term} version={version} dialog={dialog} onClose={close} />
    </Group>
  );
}

function ConfirmDialogs({
  term,
  version,
  dialog,
  onClose,
}: VersionProps & { dialog: Dialog | undefined; onClose: () => void }) {
  const t = useMessages('consent_term');
  const { number } = useFormat();
  const eventCount = useEventCount();
  const dependents = useDependents(term.id);
  const [, change] = useUrlState();
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
  return (
    <>
      <DangerDialog
        title={t.publish_title(version.version)}
        opened={dialog === 'publish'}
        onClose={onClose}
        action={t.publish}
        isDangerous={false}
        onConfirm={async () => await publish.mutateAsync({ params })}
      >
        {t.publish_about}
      </DangerDialog>
      <DangerDialog
        title={t.current_title(version.version)}
        opened={dialog === 'current'}
        onClose={onClose}
        action={t.make_current}
        isDangerous={false}
        onConfirm={async () => await current.mutateAsync({ params })}
      >
        <Text size="sm">{t.current_about(number(dependents?.form_count ?? 0))}</Text>
        <Text size="sm" mt="xs">
          {t.current_keeps(eventCount(dependents?.event_count ?? 0))}
        </Text>
      </DangerDialog>
      <DangerDialog
        title={t.delete}
        opened={dialog === 'delete'}
        onClose={onClose}
        action={t.delete}
        onConfirm={async () => await remove.mutateAsync({ params })}
      >
        {t.delete_about(version.version)}
      </DangerDialog>
    </>
  );
}
