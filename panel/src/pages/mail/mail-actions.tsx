import { useClipboard } from '@mantine/hooks';
import {
  IconBan,
  IconCalendarTime,
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
import { ActionMenu } from '../../parts/actions.tsx';
import { ConfirmDialog, type Action } from '../../parts/confirm-dialog.tsx';
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
  onAsk,
  restriction_id,
}: {
  mail: MailRecord;
  content: MessageContent | undefined;
  /** What the advice asks for; the page keeps it. */
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
  const asks: Record<Ask, Action> = {
    resend: {
      label: t.resend,
      icon: IconSend,
      about: t.resend_about(mail.to),
      run: async () => {
        await resend.mutateAsync({ params });
        await navigate(linkTo(slug, { page: 'mails', search: { recipient: mail.to } }));
      },
    },
    restrict: {
      label: t.restrict,
      icon: IconBan,
      about: t.restrict_about(mail.to),
      isDangerous: true,
      run: async () => await restrict.mutateAsync({ body: { recipient: mail.to } }),
    },
    lift: {
      label: t.lift,
      icon: IconLockOpen,
      about: t.lift_about(mail.to),
      run: async () => await lift.mutateAsync({ params: { id: restriction_id ?? 0 } }),
    },
    retry: {
      label: t.retry,
      icon: IconRefresh,
      about: t.retry_about,
      run: async () => await retry.mutateAsync({ params }),
    },
    cancel: {
      label: t.cancel,
      icon: IconX,
      about: t.cancel_about(untried),
      isDangerous: true,
      run: async () => await cancel.mutateAsync({ params: { message_id: mail.msg_id ?? '' } }),
    },
  };
  const isMovable = message !== undefined && can('panel_schedule_message');
  const isWaiting = (mail.status === 2 || mail.status === 5) && !isScheduled(mail);
  if (!can('panel_resend_mail')) return null;
  return (
    <>
      <ActionMenu
        label={t.actions}
        actions={[
          isWaiting && can('panel_retry_mail') && asks.retry,
          isMovable && { label: t.reschedule, icon: IconCalendarTime, run: () => setRescheduling(true) },
          isMovable && asks.cancel,
          asks.resend,
          {
            label: t.curl,
            icon: IconTerminal2,
            isDisabled: !body,
            run: () => {
              copy(body ? curlOf(slug, body) : '');
              toast(t.copied);
            },
          },
          can('panel_create_restriction') && restriction_id === undefined && asks.restrict,
          can('panel_delete_restriction') && restriction_id !== undefined && asks.lift,
        ]}
      />
      <ConfirmDialog action={asked && asks[asked]} onClose={() => onAsk(undefined)} />
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
