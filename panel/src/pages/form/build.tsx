import { Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import type { Editing } from './editing.ts';
import { ItemsEditor } from './items-editor.tsx';
import { languageNames, languages } from '../../api/language.ts';
import { problemAt } from './use-preview.ts';

/** What the form is, what it asks for, and what it says around that. */
export function Build({ editing }: { editing: Editing }) {
  const { draft, change, catalogue, problems } = editing;
  return (
    <>
      <Basics editing={editing} />
      <ItemsEditor draft={draft} change={change} catalogue={catalogue} problems={problems} />
      <Texts editing={editing} />
    </>
  );
}

function Basics({ editing: { draft, change, form, refused } }: { editing: Editing }) {
  const t = useMessages('form');
  return (
    <Section>
      <Stack gap="sm">
        <TextInput
          label={t.name}
          description={t.name_help}
          maxLength={255}
          value={draft.name}
          required
          error={problemAt(refused, '/name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        {!form && (
          <Select
            label={t.kind}
            description={`${t.kind_about[draft.kind]} ${t.kind_help}`}
            data={(['advanced', 'consent'] as const).map((value) => ({ value, label: t.kinds[value] }))}
            value={draft.kind}
            onChange={(kind) => kind && change({ kind })}
          />
        )}
        <Select
          label={t.type}
          description={t.type_about[draft.type]}
          data={(['registration', 'update'] as const).map((value) => ({ value, label: t.types[value] }))}
          value={draft.type}
          onChange={(type) => type && change({ type })}
        />
        <Switch
          label={t.is_default}
          description={t.default_about[draft.type]}
          checked={draft.is_default}
          onChange={({ currentTarget }) => change({ is_default: currentTarget.checked })}
        />
        {form && (
          <Text size="sm" c="dimmed">
            {t.kind}: {t.kinds[draft.kind]}. {t.kind_about[draft.kind]}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Texts({ editing: { draft, change } }: { editing: Editing }) {
  const t = useMessages('form');
  const { settings } = draft;
  const set = (changes: Partial<typeof settings>): void => change({ settings: { ...settings, ...changes } });
  return (
    <Section title={t.texts}>
      <Stack gap="sm">
        <TextInput
          label={t.page_title}
          description={t.page_title_help}
          maxLength={255}
          value={settings.title ?? ''}
          onChange={({ target }) => set({ title: target.value })}
        />
        <Select
          label={t.language}
          description={t.language_help}
          data={[
            { value: '', label: t.language_of_reader },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
          value={settings.language ?? ''}
          onChange={(chosen) => set({ language: languages.find((each) => each === chosen) ?? null })}
        />
        <Textarea
          label={t.header_text}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={settings.header_text ?? ''}
          onChange={({ target }) => set({ header_text: target.value })}
        />
        <Textarea
          label={t.footer_text}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={settings.footer_text ?? ''}
          onChange={({ target }) => set({ footer_text: target.value })}
        />
      </Stack>
    </Section>
  );
}
