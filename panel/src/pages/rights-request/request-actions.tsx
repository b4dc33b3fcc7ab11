import { Button, Group, Text, Textarea } from '@mantine/core';
import { IconDownload, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { respond } from '../../api/call.ts';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { saveResponse } from '../../parts/download.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { AnswersDialog } from './answers-dialog.tsx';

type Dialog = 'answers' | 'fulfil' | 'refuse' | 'extend' | 'cancel' | 'lift';

/** What can be done with a request as it stands now. */
export function RequestActions({ request }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const can = useCan();
  const [dialog, setDialog] = useState<Dialog>();
  const { kind, status, started_at, stopped_at, extended_at, lifted_at, contacts } = request;
  const isOpen = status === 'open' && started_at === null;
  const isErasing = status === 'open' && started_at !== null;
  const hasArchive =
    (kind === 'access' || kind === 'portability') &&
    contacts.length > 0 &&
    (status === 'open' || status === 'fulfilled');
  const isBlocked = kind === 'blocking' && status === 'fulfilled' && lifted_at === null;
  if (!can('panel_fulfil_rights_request')) return null;
  return (
    <>
      {status !== 'unverified' && (
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('answers')}>
          {t.draft_answer}
        </Button>
      )}
      {hasArchive && <ArchiveButton id={request.id} />}
      {isOpen && extended_at === null && (
        <Button variant="default" onClick={() => setDialog('extend')}>
          {t.extend}
        </Button>
      )}
      {isOpen && (
        <Button variant="default" onClick={() => setDialog('refuse')}>
          {t.refuse}
        </Button>
      )}
      {isOpen && (
        <Button color={kind === 'erasure' ? 'red' : undefined} onClick={() => setDialog('fulfil')}>
          {kind === 'erasure' ? t.erase : t.fulfil}
        </Button>
      )}
      {isErasing && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {t.cancel}
        </Button>
      )}
      {isErasing && stopped_at !== null && (
        <Button color="red" onClick={() => setDialog('fulfil')}>
          {t.resume}
        </Button>
      )}
      {isBlocked && (
        <Button variant="default" onClick={() => setDialog('lift')}>
          {t.lift}
        </Button>
      )}
      <AnswersDialog request={request} opened={dialog === 'answers'} onClose={() => setDialog(undefined)} />
      <Decisions request={request} dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  );
}

interface DecisionsProps {
  request: RightsRequestDetail;
  dialog: Dialog | undefined;
  onClose: () => void;
}

function Decisions({ request: { id, kind, contacts }, dialog, onClose }: DecisionsProps) {
  const t = useMessages('rights_request');
  const done = (text: string) => ({ onDone: () => toast(text) });
  const fulfil = useChange('panel_fulfil_rights_request', done(kind === 'erasure' ? t.erasing : t.fulfilled));
  const refuse = useChange('panel_refuse_rights_request', done(t.refused));
  const extend = useChange('panel_extend_rights_request', done(t.was_extended));
  const cancel = useChange('panel_cancel_rights_erasure', done(t.was_cancelled));
  const lift = useChange('panel_lift_rights_request', done(t.was_lifted));
  const params = { id };
  return (
    <>
      <DangerDialog
        title={t.erase}
        opened={dialog === 'fulfil' && kind === 'erasure'}
        onClose={onClose}
        action={t.erase}
        name={contacts[0]?.contact}
        onConfirm={async () => await fulfil.mutateAsync({ params, body: {} })}
      >
        {t.erase_about}
      </DangerDialog>
      <WordsDialog
        title={t.fulfil}
        about={t.fulfil_kind[kind]}
        label={t.resolution}
        name="resolution"
        opened={dialog === 'fulfil' && kind !== 'erasure'}
        onClose={onClose}
        onSubmit={async (text) => await fulfil.mutateAsync({ params, body: { resolution: text || null } })}
      />
      <WordsDialog
        title={t.refuse}
        about={t.refuse_about}
        label={t.ground}
        name="ground"
        opened={dialog === 'refuse'}
        onClose={onClose}
        onSubmit={async (ground) => await refuse.mutateAsync({ params, body: { ground } })}
      />
      <WordsDialog
        title={t.extend}
        about={t.extend_about}
        label={t.extension_reason}
        name="reason"
        opened={dialog === 'extend'}
        onClose={onClose}
        onSubmit={async (reason) => await extend.mutateAsync({ params, body: { reason } })}
      />
      <DangerDialog
        title={t.cancel}
        opened={dialog === 'cancel'}
        onClose={onClose}
        action={t.cancel}
        onConfirm={async () => await cancel.mutateAsync({ params })}
      >
        {t.cancel_about}
      </DangerDialog>
      <DangerDialog
        title={t.lift}
        opened={dialog === 'lift'}
        onClose={onClose}
        action={t.lift}
        isDangerous={false}
        onConfirm={async () => await lift.mutateAsync({ params })}
      >
        {t.lift_about}
      </DangerDialog>
    </>
  );
}

interface WordsDialogProps {
  title: string;
  about: string;
  label: string;
  /** As the service calls it, so that what it refuses stands at the input. */
  name: 'resolution' | 'ground' | 'reason';
  opened: boolean;
  onClose: () => void;
  onSubmit: (text: string) => Promise<unknown>;
}

function WordsDialog({ title, about, label, name, opened, onClose, onSubmit }: WordsDialogProps) {
  return (
    <FormDialog
      title={title}
      opened={opened}
      onClose={onClose}
      initial={{ [name]: '' }}
      submit={title}
      onSubmit={async (values) => await onSubmit((values[name] ?? '').trim())}
    >
      {(form) => (
        <>
          <Text size="sm">{about}</Text>
          <Textarea
            label={label}
            autosize
            minRows={3}
            maxLength={2000}
            data-autofocus
            {...form.getInputProps(name)}
          />
        </>
      )}
    </FormDialog>
  );
}

function ArchiveButton({ id }: { id: number }) {
  const t = useMessages('rights_request');
  const { slug } = useApi();
  const { bytes } = useFormat();
  const [size, setSize] = useState<number>();
  const download = async (): Promise<void> => {
    setSize(0);
    try {
      const response = await respond('panel_get_rights_archive', { params: { id } }, { slug });
      toast(t.archived(bytes(await saveResponse(response, setSize))));
    } catch (error) {
      toast((error as Error).message);
    } finally {
      setSize(undefined);
    }
  };
  if (size !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Text size="sm">{t.archiving(bytes(size))}</Text>
      </Group>
    );
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void download()}>
      {t.archive}
    </Button>
  );
}
