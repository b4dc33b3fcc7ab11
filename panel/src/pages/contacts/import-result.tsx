import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconDownload, IconEye } from '@tabler/icons-react';
import type { ContactImportReport } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Facts } from '../../parts/detail.tsx';
import { saveFile } from '../../parts/download.ts';
import { Notice } from '../../parts/notice.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';

/** Of the refused lines; all of them are in the file. */
const shownLines = 50;

interface Props {
  report: ContactImportReport;
  problem: unknown;
  onBack: () => void;
  onImport: () => void;
  onClose: () => void;
}

/** What would become of the lines of a file, or what became of them. */
export function ImportResult({ report, problem, onBack, onImport, onClose }: Props) {
  const t = useMessages('contacts');
  const isDone = report.id !== null;
  const brings = report.added + report.updated > 0;
  return (
    <Stack gap="md">
      <Notice
        icon={isDone ? <IconCircleCheck size={18} /> : <IconEye size={18} />}
        title={isDone ? t.imported : t.checked}
      />
      <Counts report={report} />
      {report.refused.length > 0 && <Refused refused={report.refused} />}
      <ProblemAlert problem={problem} />
      <Group justify="flex-end" gap="xs">
        {report.refused.length > 0 && (
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save(report)}>
            {t.save_refused}
          </Button>
        )}
        {!isDone && (
          <Button variant="default" onClick={onBack}>
            {t.back}
          </Button>
        )}
        {isDone ? (
          <Button onClick={onClose}>{t.close}</Button>
        ) : (
          <Button disabled={!brings} onClick={onImport}>
            {t.run}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Counts({ report }: { report: ContactImportReport }) {
  const t = useMessages('contacts');
  const { number } = useFormat();
  const { lines, added, updated, unchanged, refused_count, field_keys, ignored_columns } = report;
  return (
    <Facts
      facts={[
        { name: t.result.lines, value: number(lines) },
        { name: t.result.added, value: number(added) },
        { name: t.result.updated, value: number(updated) },
        { name: t.result.unchanged, value: number(unchanged) },
        { name: t.result.refused, value: number(refused_count) },
        field_keys.length > 0 && { name: t.fields, value: field_keys.join(', ') },
        { name: t.sha256, value: <CopyField value={report.file_sha256} /> },
        ignored_columns.length > 0 && { name: t.ignored, value: ignored_columns.join(', ') },
      ]}
    />
  );
}

function Refused({ refused }: { refused: ContactImportReport['refused'] }) {
  const t = useMessages('contacts');
  const { number } = useFormat();
  return (
    <div>
      {refused.length > shownLines && (
        <Text size="sm" c="dimmed">
          {t.first_refused(number(shownLines))}
        </Text>
      )}
      <DataList
        label={t.refused}
        rows={refused.slice(0, shownLines)}
        idOf={({ line }) => line}
        columns={[
          { name: 'line', header: t.line, min: 5, align: 'end', cell: ({ line }) => number(line) },
          {
            name: 'reason',
            header: t.reason,
            min: 12,
            grow: 4,
            cell: ({ reason, column }) => (column ? `${t.reasons[reason]}: ${column}` : t.reasons[reason]),
          },
        ]}
      />
    </div>
  );
}

/** Lines by their number: what they say is in the file that was imported. */
function save({ refused }: ContactImportReport): void {
  const rows = refused.map(({ line, reason, column }) => `${line},${reason},${column ?? ''}`);
  const csv = ['line,reason,column', ...rows, ''].join('\r\n');
  saveFile('refused-lines.csv', new Blob([csv], { type: 'text/csv' }));
}
