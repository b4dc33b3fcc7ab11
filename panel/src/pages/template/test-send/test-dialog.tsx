import { Group, MultiSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sender } from '../../../api/operations.ts';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { toast } from '../../../parts/toast.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useMe } from '../../../parts/app/me.ts';
import { PageLink } from '../../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../../parts/app/use-api.ts';
import type { Edited } from '../edited.ts';
import { variablesOf } from '../sample-variables.ts';
import { contentOf } from '../use-draft.ts';

type Recipient = 'sandbox' | 'self' | 'members';
const blank: { recipient: Recipient; sender_email: string; member_ids: string[] } = {
  recipient: 'sandbox',
  sender_email: '',
  member_ids: [],
};
const maxMembers = 10;

const isOfSandbox = (address: string): boolean => /[@.]sandbox\.test$/i.test(address);

/** Sends what is being edited to the sandbox, to oneself or to colleagues; no other address can be chosen. */
export function TestDialog({
  template: { id },
  state,
  samples,
  names,
  opened,
  onClose,
}: Edited & { opened: boolean; onClose: () => void }) {
  const t = useMessages('template_test');
  const api = useApi();
  const me = useMe();
  const senders = useQuery({
    ...api.read('panel_list_senders', { query: { page_size: 100 } }),
    enabled: opened,
  });
  const members = useQuery({
    ...api.read('panel_list_members', { query: { page_size: 100 } }),
    enabled: opened,
  });
  const [sent, setSent] = useState<{ message_id: string; to: string }>();
  const send = useChange('panel_test_template', {
    onDone: (result) => {
      setSent(result);
      toast(t.sent(result.to));
    },
  });
  const addresses = (senders.data?.data ?? []).map(({ email_address }: Sender) => email_address);
  const own = addresses.filter((each) => !isOfSandbox(each));
  return (
    <FormDialog
      title={t.title}
      opened={opened}
      onClose={() => {
        setSent(undefined);
        onClose();
      }}
      keepsOpen
      initial={blank}
      submit={sent ? t.again : t.send}
      onSubmit={async ({ recipient, sender_email, member_ids }) => {
        await send.mutateAsync({
          params: { template_id: id },
          body: {
            recipient,
            ...(sender_email === '' ? {} : { sender_email }),
            ...(recipient === 'members' ? { member_ids: member_ids.map(Number) } : {}),
            template_variables: variablesOf(samples, names),
            ...(state.isDirty ? { content: contentOf(state.draft) } : {}),
          },
        });
      }}
    >
      {(form) => (
        <>
          <Text size="sm" c="dimmed">
            {state.isDirty ? t.about_unsaved : t.about}
          </Text>
          <Radio.Group
            label={t.to}
            {...form.getInputProps('recipient')}
            onChange={(recipient) =>
              form.setValues({
                recipient: recipient as Recipient,
                sender_email: recipient === 'sandbox' ? '' : (own[0] ?? ''),
              })
            }
          >
            <Stack gap="xs" mt={6}>
              <Radio value="sandbox" label={t.sandbox} description={t.sandbox_help} />
              <Radio
                value="self"
                label={me ? t.self_at(me.user.email) : t.self}
                description={own.length === 0 && senders.data ? t.no_sender : t.self_help}
                disabled={own.length === 0}
              />
              <Radio
                value="members"
                label={t.members}
                description={t.members_help}
                disabled={own.length === 0}
              />
            </Stack>
          </Radio.Group>
          {form.values.recipient === 'members' && (
            <MultiSelect
              label={t.members}
              placeholder={form.values.member_ids.length === 0 ? t.choose_members : undefined}
              data={(members.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.email }))}
              maxValues={maxMembers}
              searchable
              {...form.getInputProps('member_ids')}
            />
          )}
          {form.values.recipient !== 'sandbox' && (
            <Select
              label={t.sender}
              data={own}
              {...form.getInputProps('sender_email')}
              onChange={(address) => form.setFieldValue('sender_email', address ?? '')}
            />
          )}
          {sent && (
            <Group gap="md" role="status">
              <Text size="sm">{t.sent(sent.to)}</Text>
              {isOfSandbox(sent.to) && <PageLink page="sandbox">{t.to_sandbox}</PageLink>}
              <PageLink page="mails" search={{ msg_id: sent.message_id }}>
                {t.to_mail}
              </PageLink>
            </Group>
          )}
        </>
      )}
    </FormDialog>
  );
}
