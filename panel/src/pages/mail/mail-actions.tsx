import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconBan,
  IconCalendarTime,
  IconChevronDown,
  IconLockOpen,
  IconRefresh,
  IconSend,
  IconTerminal2,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MailRecord, Message, MessageContent, NewMessage } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { isScheduled } from '../../parts/mail-status.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan, useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import type { Ask } from './advised.ts';
import { RescheduleDialog } from './reschedule-dialog.tsx';

/** What a person can do about a mail; each asks first and says what will happen. */
export function MailActions({
  mail,
  content,
  asked,
  onAsk: setAsked,
  restriction_id,
}: {
  mail: MailRecord;
  content: MessageContent | undefined;
  /** What is being confirmed; the page keeps it, since the advice asks too. */
  asked: Ask | undefined;
  onAsk: (ask: Ask | undefined) => void;
  /** Of the recipient, where one stands. */
  restriction_id: number | undefined;
}) {
  const t = useMessages('mail');
  const can = useCan();
  const { slug } = useInstance();
  const { number } = useFormat();
  const navigate = useNavigate();
  const { copy } = useClipboard();
  const resend = useChange('panel_resend_mail', { onDone: () => toast(t.resent) });
  const restrict = useChange('panel_create_restriction', { onDone: () => toast(t.restricted) });
  const lift = useChange('panel_delete_restriction', { onDone: () => toast(t.lifted) });
  const retry = useChange('panel_retry_mail', { onDone: () => toast(t.retried) });
  const cancel = useChange('panel_cancel_message', { onDone: () => toast(t.cancelled) });
  const [isRescheduling, setRescheduling] = useState(false);
  const message = useUntried(mail);
  const untried = number(message?.untried ?? 0);
  const params = { mail_id: mail.mail_id };
  const body = content && sendOf(mail, content);
  const asks: Record<Ask, { about: string; run: () => Promise<unknown> }> = {
    resend: {
      about: t.resend_about(mail.to),
      run: async () => {
        await resend.mutateAsync({ params });
        await navigate(linkTo(slug, { page: 'mails', search: { recipient: mail.to } }));
      },
    },
    restrict: {
      about: t.restrict_about(mail.to),
      run: async () => await restrict.mutateAsync({ body: { recipient: mail.to } }),
    },
    lift: {
      about: t.lift_about(mail.to),
      run: async () => await lift.mutateAsync({ params: { id: restriction_id ?? 0 } }),
    },
    retry: { about: t.retry_about, run: async () => await retry.mutateAsync({ params }) },
    cancel: {
      about: t.cancel_about(untried),
      run: async () => await cancel.mutateAsync({ params: { message_id: mail.msg_id ?? '' } }),
    },
  };
  const isWaiting = (mail.status === 2 || mail.status === 5) && !isScheduled(mail);
  if (!can('panel_resend_mail')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            {t.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isWaiting && can('panel_retry_mail') && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setAsked('retry')}>
              {t.retry}
            </Menu.Item>
          )}
          {message && can('panel_schedule_message') && (
            <>
              <Menu.Item leftSection={<IconCalendarTime size={16} />} onClick={() => setRescheduling(true)}>
                {t.reschedule}
              </Menu.Item>
              <Menu.Item leftSection={<IconX size={16} />} onClick={() => setAsked('cancel')}>
                {t.cancel}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconSend size={16} />} onClick={() => setAsked('resend')}>
            {t.resend}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTerminal2 size={16} />}
            disabled={!body}
            onClick={() => {
              copy(body ? curlOf(slug, body) : '');
              toast(t.copied);
            }}
          >
            {t.curl}
          </Menu.Item>
          {can('panel_create_restriction') && restriction_id === undefined && (
            <Menu.Item leftSection={<IconBan size={16} />} onClick={() => setAsked('restrict')}>
              {t.restrict}
            </Menu.Item>
          )}
          {can('panel_delete_restriction') && restriction_id !== undefined && (
            <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={() => setAsked('lift')}>
              {t.lift}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DangerDialog
        title={asked ? t[asked] : ''}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        action={asked ? t[asked] : ''}
        isDangerous={asked === 'restrict' || asked === 'cancel'}
        onConfirm={async () => (asked ? await asks[asked].run() : undefined)}
      >
        {asked && asks[asked].about}
      </DangerDialog>
      {message && (
        <RescheduleDialog message={message} opened={isRescheduling} onClose={() => setRescheduling(false)} />
      )}
    </>
  );
}

/** The message of a mail that waits, while there is anything in it to move or to cancel. */
function useUntried({ status, msg_id }: MailRecord): Message | undefined {
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_get_message', { params: { message_id: msg_id ?? '' } }),
    enabled: msg_id !== null && (status === 2 || status === 7),
  });
  return data && data.untried > 0 ? data : undefined;
}

/** The send that would make the same mail again. */
function sendOf(
  { to, sender, subject, custom_group_code }: MailRecord,
  { html, text }: MessageContent,
): NewMessage {
  return {
    sender_email: sender ?? '',
    to: [{ email: to }],
    subject,
    ...(html === null ? {} : { html }),
    ...(text === null ? {} : { text }),
    ...(custom_group_code === null ? {} : { custom_group_code }),
  };
}

function curlOf(slug: string, body: NewMessage): string {
  return [
    `curl ${location.origin}/v1/mails/send \\`,
    "  -H 'Authorization: Bearer YOUR_API_KEY' \\",
    `  -H 'X-Instance-Slug: ${slug}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');
}
