import { Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { MailTemplateDetail } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { exampleOf } from './examples.ts';

const blank = {
  name: '',
  editor: 'html' as MailTemplateDetail['editor'],
  start: 'example' as 'example' | 'blank',
};

/** Makes a draft, and goes to its editor. */
export function NewTemplateDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('templates');
  const { slug } = useApi();
  const navigate = useNavigate();
  const create = useChange('panel_create_template');
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={onClose}
      initial={blank}
      submit={t.create}
      onSubmit={async ({ name, editor, start }) => {
        const content = start === 'example' ? exampleOf(editor, t.example) : {};
        const { id } = await create.mutateAsync({ body: { name, editor, ...content } });
        await navigate(linkTo(slug, { page: 'template', id }));
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.name}
            description={t.name_help}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t.written_in}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t.written_in}
              data={(['html', 'mjml'] as const).map((value) => ({ value, label: t.editors[value] }))}
              {...form.getInputProps('editor')}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {t.editor_help[form.values.editor]}
            </Text>
          </div>
          <Radio.Group label={t.start} {...form.getInputProps('start')}>
            <Stack gap="xs" mt={6}>
              {(['example', 'blank'] as const).map((value) => (
                <Radio key={value} value={value} label={t.starts[value]} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      )}
    </FormDialog>
  );
}
