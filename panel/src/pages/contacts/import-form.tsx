import { Button, FileInput, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Form } from '../../parts/form.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';

const maxBytes = 10 * 1024 * 1024;
const example = 'email,consented_at,FIRST_NAME\nana@example.com,2026-11-02,Ana\n';
const methods = ['single_opt_in', 'double_opt_in'] as const;

interface Said {
  term_id: string;
  method: string;
  origin: string;
  /** A day, or empty. */
  consented_at: string;
}

export interface Asked extends Said {
  file: File;
}

const blank = { term_id: '', method: '', origin: '', consented_at: '' };

/** Asks for what the service refuses an import without. */
export function ImportForm({
  initial,
  onCheck,
  onClose,
}: {
  initial: Asked | undefined;
  onCheck: (asked: Asked) => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useMessages('contacts');
  const [file, setFile] = useState<File | null>(initial?.file ?? null);
  const { file: _file, ...said } = initial ?? { ...blank, file: undefined };
  const { form, problem, pointers, send } = useServiceForm(
    { ...said, consented_at: dayOf(said.consented_at) },
    async (values) => {
      if (file) await onCheck({ ...values, consented_at: momentOf(values.consented_at), file });
    },
  );
  const isTooLarge = file !== null && file.size > maxBytes;
  return (
    <Form onSubmit={send}>
      <Stack gap="md">
        <Text size="sm">{t.import_about}</Text>
        <FileInput
          label={t.file}
          description={t.file_help}
          placeholder={t.choose_file}
          accept=".csv,.txt,text/csv,text/plain"
          leftSection={<IconFileTypeCsv size={18} />}
          clearable
          value={file}
          onChange={setFile}
          error={isTooLarge ? t.too_large : undefined}
        />
        <CopyField value={example} label={t.example} block />
        <TermSelect {...form.getInputProps('term_id')} />
        <Select
          label={t.method}
          data={methods.map((value) => ({ value, label: t.methods[value] }))}
          {...form.getInputProps('method')}
        />
        <Textarea
          label={t.origin}
          description={t.origin_help}
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps('origin')}
        />
        <TextInput
          type="date"
          label={t.consented_at}
          description={t.consented_at_help}
          {...form.getInputProps('consented_at')}
        />
        <ProblemAlert problem={problem} shown={pointers} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" disabled={file === null || isTooLarge} loading={form.submitting}>
            {t.check}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

const momentOf = (day: string): string => (day === '' ? '' : `${day}T00:00:00Z`);
const dayOf = (moment: string): string => moment.slice(0, 10);

function TermSelect(props: object) {
  const t = useMessages('contacts');
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_consent_terms', { query: { page_size: 100 } }));
  const terms = (data?.data ?? []).flatMap(({ id, name, is_active, channels, versions }) => {
    const current = versions.find(({ is_current }) => is_current);
    return is_active && channels.includes('mail') && current
      ? [{ value: String(id), label: `${name}, ${current.version}` }]
      : [];
  });
  return (
    <Select
      label={t.term}
      description={data && terms.length === 0 ? t.no_terms : t.term_help}
      data={terms}
      {...props}
    />
  );
}
