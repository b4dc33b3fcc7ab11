import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconBan, IconChevronDown, IconRefresh, IconSend, IconTerminal2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MailRecord, MessageContent, NewMessage } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan, useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { linkTo } from '../../shell/page-link.tsx';
import { useChange } from '../../shell/use-api.ts';
import { words } from './words.ts';

type Ask = 'resend' | 'restrict' | 'retry';

/** What a person can do about a mail; each asks first and says what will happen. */
export function MailActions({ mail, content }: { mail: MailRecord; content: MessageContent | undefined }) {
  const t = useWords(words);
  const can = useCan();
  const { slug } = useInstance();
  const navigate = useNavigate();
  const { copy } = useClipboard();
  const [asked, setAsked] = useState<Ask>();
  const resend = useChange('panel_resend_mail', { onDone: () => toast(t.resent) });
  const restrict = useChange('panel_create_restriction', { onDone: () => toast(t.restricted) });
  const retry = useChange('panel_retry_mail', { onDone: () => toast(t.retried) });
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
    retry: { about: t.retry_about, run: async () => await retry.mutateAsync({ params }) },
  };
  const isWaiting = mail.status === 2 || mail.status === 5;
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
          {can('panel_create_restriction') && (
            <Menu.Item leftSection={<IconBan size={16} />} onClick={() => setAsked('restrict')}>
              {t.restrict}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DangerDialog
        title={asked ? t[asked] : ''}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        action={asked ? t[asked] : ''}
        isDangerous={asked === 'restrict'}
        onConfirm={async () => (asked ? await asks[asked].run() : undefined)}
      >
        {asked && asks[asked].about}
      </DangerDialog>
    </>
  );
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
