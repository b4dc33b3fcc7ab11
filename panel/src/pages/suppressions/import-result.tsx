import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { DataList } from '../../parts/data-list.tsx';
import { saveFile } from '../../parts/download.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { refusedAsCsv, type ImportReport } from './import-file.ts';

/** Of the refused lines; all of them are in the file. */
const shownLines = 50;

/** What became of the lines of a file. */
export function ImportResult({ report, onClose }: { report: ImportReport; onClose: () => void }) {
  const t = useMessages('suppressions');
  const { number } = useFormat();
  const { rows, added, already_restricted, refused } = report;
  const save = (): void =>
    saveFile('refused-lines.csv', new Blob([refusedAsCsv(refused)], { type: 'text/csv' }));
  return (
    <Stack gap="md">
      <Text>{t.summary(rows, number(added), number(already_restricted))}</Text>
      {refused.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {refused.length > shownLines
              ? t.first_refused(number(shownLines), number(refused.length))
              : t.refused_about(number(refused.length))}
          </Text>
          <DataList
            label={t.refused}
            rows={refused.slice(0, shownLines)}
            idOf={({ line }) => line}
            columns={[
              { name: 'line', header: t.line, min: 5, align: 'end', cell: ({ line }) => number(line) },
              { name: 'value', header: t.value, cell: ({ value }) => value || '—' },
              {
                name: 'problem',
                header: t.problem,
                min: 10,
                grow: 4,
                cell: ({ reason }) => t.problems[reason],
              },
            ]}
          />
        </>
      )}
      <Group justify="flex-end" gap="xs">
        {refused.length > 0 && (
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
            {t.save_refused}
          </Button>
        )}
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </Stack>
  );
}
