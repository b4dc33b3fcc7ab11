import { Button, Group, Text, Textarea } from '@mantine/core';
import { IconDownload, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { respond } from '../../api/call.ts';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { ActionButton } from '../../parts/actions.tsx';
import type { Action } from '../../parts/confirm-dialog.tsx';
import { saveResponse } from '../../parts/download.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { AnswersDialog } from './answers-dialog.tsx';

/** What can be done with a request as it stands now. */
export function RequestActions({ request }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const can = useCan();
  const [dialog, setDialog] = useState<'answers' | 'fulfil' | 'refuse' | 'extend'>();
  const { id, kind, status, started_at, stopped_at, extended_at, lifted_at, contacts } = request;
  const done = (text: string) => ({ onDone: () => toast(text) });
  const fulfil = useChange('panel_fulfil_rights_request', done(kind === 'erasure' ? t.erasing : t.fulfilled));
  const refuse = useChange('panel_refuse_rights_request', done(t.refused));
  const extend = useChange('panel_extend_rights_request', done(t.was_extended));
  const cancel = useChange('panel_cancel_rights_erasure', done(t.was_cancelled));
  const lift = useChange('panel_lift_rights_request', done(t.was_lifted));
  const params = { id };
  const close = (): void => setDialog(undefined);
  const isOpen = status === 'open' && started_at === null;
  const isErasing = status === 'open' && started_at !== null;
  const hasArchive =
    (kind === 'access' || kind === 'portability') &&
    contacts.length > 0 &&
    (status === 'open' || status === 'fulfilled');
  const isBlocked = kind === 'blocking' && status === 'fulfilled' && lifted_at === null;
  const erase: Action = {
    label: t.erase,
    about: t.erase_about,
    name: contacts[0]?.contact,
    isDangerous: true,
    run: async () => await fulfil.mutateAsync({ params, body: {} }),
  };
  if (!can('panel_fulfil_rights_request')) return null;
  return (
    <>
      {status !== 'unverified' && (
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('answers')}>
          {t.draft_answer}
        </Button>
      )}
      {hasArchive && <ArchiveButton id={id} />}
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
      {isOpen && kind === 'erasure' && <ActionButton action={erase} variant="filled" color="red" />}
      {isOpen && kind !== 'erasure' && <Button onClick={() => setDialog('fulfil')}>{t.fulfil}</Button>}
      {isErasing && (
        <ActionButton
          action={{
            label: t.cancel,
            about: t.cancel_about,
            isDangerous: true,
            run: async () => await cancel.mutateAsync({ params }),
          }}
        />
      )}
      {isErasing && stopped_at !== null && (
        <ActionButton action={{ ...erase, label: t.resume, title: t.erase }} variant="filled" color="red" />
      )}
      {isBlocked && (
        <ActionButton
          action={{
            label: t.lift,
            about: t.lift_about,
            run: async () => await lift.mutateAsync({ params }),
          }}
        />
      )}
      <AnswersDialog request={request} opened={dialog === 'answers'} onClose={close} />
      <WordsDialog
        title={t.fulfil}
        about={t.fulfil_kind[kind]}
        label={t.resolution}
        name="resolution"
        opened={dialog === 'fulfil'}
        onClose={close}
        onSubmit={async (text) => await fulfil.mutateAsync({ params, body: { resolution: text || null } })}
      />
      <WordsDialog
        title={t.refuse}
        about={t.refuse_about}
        label={t.ground}
        name="ground"
        opened={dialog === 'refuse'}
        onClose={close}
        onSubmit={async (ground) => await refuse.mutateAsync({ params, body: { ground } })}
      />
      <WordsDialog
        title={t.extend}
        about={t.extend_about}
        label={t.extension_reason}
        name="reason"
        opened={dialog === 'extend'}
        onClose={close}
        onSubmit={async (reason) => await extend.mutateAsync({ params, body: { reason } })}
      />
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
