import { Modal, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContactImportReport } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { ImportForm, type Asked } from './import-form.tsx';
import { ImportResult } from './import-result.tsx';

/** Imports contacts with the provenance of their consents: says what would happen, and does it when it is asked to. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('contacts');
  return (
    <Modal opened={opened} onClose={onClose} title={t.import} size="lg">
      {opened && <ImportBody onClose={onClose} />}
    </Modal>
  );
}

function ImportBody({ onClose }: { onClose: () => void }) {
  const t = useMessages('contacts');
  const [asked, setAsked] = useState<Asked>();
  const [report, setReport] = useState<ContactImportReport>();
  const run = useChange('panel_import_contacts');
  const send = async (values: Asked, dry_run: boolean): Promise<void> => {
    setAsked(values);
    setReport(await run.mutateAsync({ body: bodyOf(values, dry_run) as never }));
  };
  if (run.isPending) {
    return run.variables && isDry(run.variables.body) ? (
      <Text role="status">{t.checking}</Text>
    ) : (
      <Running lines={report?.lines ?? 0} sha256={report?.file_sha256} />
    );
  }
  if (asked && report) {
    return (
      <ImportResult
        report={report}
        problem={run.error}
        onBack={() => setReport(undefined)}
        onImport={() => void send(asked, false).catch(() => undefined)}
        onClose={onClose}
      />
    );
  }
  return (
    <ImportForm initial={asked} onCheck={async (values) => await send(values, true)} onClose={onClose} />
  );
}

/** As a form, so that the service hashes the bytes of the file as they are. */
function bodyOf({ file, ...said }: Asked, dry_run: boolean): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(said)) if (value !== '') body.append(name, value);
  body.append('dry_run', String(dry_run));
  body.append('file', file);
  return body;
}

const isDry = (body: unknown): boolean => (body as FormData).get('dry_run') === 'true';

/** The answer comes at the end; how far it is says the list of imports. */
function Running({ lines, sha256 }: { lines: number; sha256: string | undefined }) {
  const t = useMessages('contacts');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_contact_imports', { query: { page_size: 5 } }),
    refetchInterval: 500,
  });
  const own = data?.data.find((each) => each.file_sha256 === sha256 && each.finished_at === null);
  const done = own?.lines_done ?? 0;
  return (
    <Stack gap="xs" role="status">
      <Progress value={lines > 0 ? (done / lines) * 100 : 0} animated aria-label={t.import} />
      <Text size="sm">{t.importing(done, lines)}</Text>
      <Text size="sm" c="dimmed">
        {t.goes_on}
      </Text>
    </Stack>
  );
}
