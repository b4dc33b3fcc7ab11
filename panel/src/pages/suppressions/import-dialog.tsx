import { Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { importFile, type ImportReport, type Progress as Done } from './import-file.ts';
import { ImportResult } from './import-result.tsx';

const max_bytes = 10 * 1024 * 1024;
const example = 'recipient,reason,detail\nana@example.com,manual,Asked by phone.\n';

/** Restricts the addresses of a CSV file, and tells what became of each line. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('suppressions');
  return (
    <Modal opened={opened} onClose={onClose} title={t.import} size="lg">
      {opened && <ImportBody onClose={onClose} />}
    </Modal>
  );
}

function ImportBody({ onClose }: { onClose: () => void }) {
  const t = useMessages('suppressions');
  const [file, setFile] = useState<File | null>(null);
  const { run, stop, progress, report, problem, done_before } = useImport();
  if (report) return <ImportResult report={report} onClose={onClose} />;
  const isTooLarge = file !== null && file.size > max_bytes;
  return (
    <Stack gap="md">
      <Text size="sm">{t.import_about}</Text>
      <CopyField value={example} label={t.import_example} block />
      <FileInput
        label={t.file}
        placeholder={t.choose_file}
        accept=".csv,.txt,text/csv,text/plain"
        leftSection={<IconFileTypeCsv size={18} />}
        clearable
        value={file}
        onChange={setFile}
        error={isTooLarge ? t.too_large : undefined}
        disabled={progress !== undefined}
      />
      {progress && <Running progress={progress} />}
      <ProblemAlert problem={problem} />
      {done_before > 0 && <Text size="sm">{t.done_before(done_before)}</Text>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={progress ? stop : onClose}>
          {progress ? t.stop : t.cancel}
        </Button>
        <Button
          disabled={file === null || isTooLarge}
          loading={progress !== undefined}
          onClick={() => file && void run(file)}
        >
          {t.import_action}
        </Button>
      </Group>
    </Stack>
  );
}

function Running({ progress: { share, report } }: { progress: Done }) {
  const t = useMessages('suppressions');
  const { percent } = useFormat();
  return (
    <div role="status">
      <Progress value={share * 100} animated aria-label={t.import} />
      <Text size="sm" c="dimmed" mt={4}>
        {t.importing(percent(share), report.added, report.refused.length)}
      </Text>
    </div>
  );
}

/** Ends with the dialog. */
function useImport() {
  const api = useApi();
  const queries = useQueryClient();
  const [shown, setProgress] = useState<Done>();
  const [report, setReport] = useState<ImportReport>();
  const [problem, setProblem] = useState<unknown>();
  const [done_before, setDoneBefore] = useState(0);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const run = async (file: File): Promise<void> => {
    abort.current = new AbortController();
    let added = 0;
    const onProgress = (progress: Done): void => {
      added = progress.report.added;
      setProgress(progress);
    };
    setProblem(undefined);
    setDoneBefore(0);
    setProgress({ share: 0, report: { rows: 0, added: 0, already_restricted: 0, refused: [] } });
    try {
      const send = async (csv: string): Promise<ImportReport> =>
        await api.call('panel_import_restrictions', { body: { csv } });
      const { signal } = abort.current;
      setReport(await importFile(await file.text(), send, { onProgress, signal }));
    } catch (error) {
      setProblem(error);
      setDoneBefore(added);
    } finally {
      setProgress(undefined);
      await queries.invalidateQueries({ queryKey: [api.slug] });
    }
  };
  return { run, stop: () => abort.current?.abort(), progress: shown, report, problem, done_before };
}
