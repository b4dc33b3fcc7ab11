import { Button, SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FormSettings } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { asksForEmail } from './catalogue.ts';
import { newItem } from './draft.ts';
import type { Editing } from './editing.ts';
import { problemAt } from './use-preview.ts';

type Reply = NonNullable<FormSettings['auto_reply']>;

/** The mails that the form writes: the confirmation of a double opt-in, and the reply. */
export function Mails({ editing }: { editing: Editing }) {
  const t = useMessages('form');
  const { draft, change } = editing;
  const { settings, requires_confirmation, type } = draft;
  const isUpdate = type === 'update';
  const reply = settings.auto_reply ?? undefined;
  return (
    <>
      {(isUpdate || requires_confirmation || reply) && <MissingEmail editing={editing} />}
      {isUpdate ? (
        <Section title={t.update_link}>
          <Text size="sm" c="dimmed">
            {t.update_link_help}
          </Text>
        </Section>
      ) : (
        <Section title={t.confirmation}>
          <Switch
            label={t.requires_confirmation}
            description={t.confirmation_help}
            checked={requires_confirmation}
            onChange={({ currentTarget }) => change({ requires_confirmation: currentTarget.checked })}
          />
        </Section>
      )}
      <Section title={t.reply}>
        <Stack gap="sm">
          <Switch
            label={t.auto_reply}
            description={t.reply_help}
            checked={reply !== undefined}
            onChange={({ currentTarget }) =>
              change({ settings: { ...settings, auto_reply: currentTarget.checked ? {} : null } })
            }
          />
          {reply && (
            <ReplyContent
              reply={reply}
              editing={editing}
              onChange={(auto_reply) => change({ settings: { ...settings, auto_reply } })}
            />
          )}
        </Stack>
      </Section>
      <Section>
        <SenderSelect editing={editing} isNeeded={isUpdate || requires_confirmation || reply !== undefined} />
      </Section>
    </>
  );
}

function MissingEmail({ editing: { draft, change, catalogue } }: { editing: Editing }) {
  const t = useMessages('form');
  if (asksForEmail(catalogue, draft.items)) return null;
  const field = catalogue.fields.find(({ field_key }) => field_key === 'EMAIL');
  return (
    <Notice icon={<IconAt size={18} />} title={t.needs_email}>
      {field && (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            change({
              items: [newItem({ kind: 'field', field_id: field.id, is_required: true }), ...draft.items],
            })
          }
        >
          {t.add_email}
        </Button>
      )}
    </Notice>
  );
}

function SenderSelect({
  editing: { draft, change, refused },
  isNeeded,
}: {
  editing: Editing;
  isNeeded: boolean;
}) {
  const t = useMessages('form');
  const api = useApi();
  const senders = useQuery(api.read('panel_list_senders', { query: { page_size: 100 } }));
  const offered = (senders.data?.data ?? []).filter(({ requires_consent }) => !requires_consent);
  const chosen = draft.auto_reply_sender_id;
  const missing = isNeeded && chosen === null ? t.needs_sender : undefined;
  return (
    <Select
      label={t.sender}
      description={t.sender_help}
      searchable
      data={[
        { value: '', label: t.no_sender },
        ...offered.map(({ id, name, email_address }) => ({
          value: String(id),
          label: name ? `${name} <${email_address}>` : email_address,
        })),
      ]}
      value={chosen === null ? '' : String(chosen)}
      error={problemAt(refused, '/auto_reply_sender_id') ?? missing}
      onChange={(value) => change({ auto_reply_sender_id: value ? Number(value) : null })}
    />
  );
}

function ReplyContent({
  reply,
  onChange,
  editing: { refused },
}: {
  reply: Reply;
  onChange: (reply: Reply) => void;
  editing: Editing;
}) {
  const t = useMessages('form');
  const api = useApi();
  const isTemplate = reply.template_id !== undefined && reply.template_id !== null;
  const { data } = useQuery(
    api.read('panel_list_templates', { query: { is_published: true, page_size: 100 } }),
  );
  const templates = data?.data ?? [];
  const [first] = templates;
  return (
    <>
      <SegmentedControl
        aria-label={t.reply_from}
        value={isTemplate ? 'template' : 'text'}
        onChange={(kind) => onChange(kind === 'template' && first ? { template_id: first.id } : {})}
        data={(['text', 'template'] as const).map((value) => ({
          value,
          label: t.reply_kinds[value],
          disabled: value === 'template' && templates.length === 0,
        }))}
      />
      {data && templates.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.no_templates}
        </Text>
      )}
      {isTemplate ? (
        <Select
          label={t.template}
          description={t.template_help}
          searchable
          data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(reply.template_id)}
          error={problemAt(refused, '/settings/auto_reply/template_id')}
          onChange={(value) => value && onChange({ template_id: Number(value) })}
        />
      ) : (
        <>
          <TextInput
            label={t.subject}
            description={t.subject_help}
            maxLength={254}
            value={reply.subject ?? ''}
            onChange={({ target }) => onChange({ ...reply, subject: target.value })}
          />
          <Textarea
            label={t.reply_text}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={10_000}
            value={reply.text ?? ''}
            onChange={({ target }) => onChange({ ...reply, text: target.value })}
          />
        </>
      )}
    </>
  );
}
