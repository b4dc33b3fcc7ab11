import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useCan, useInstance } from './app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useChange } from './app/use-api.ts';
import { toast } from './toast.ts';

/** Sends a mail that takes the whole way and never leaves the service. */
export function SandboxSend({
  to = 'delivered@sandbox.test',
  variant = 'filled',
}: {
  to?: string;
  variant?: string;
}) {
  const t = useMessages('sandbox_send');
  const can = useCan();
  const { slug } = useInstance();
  const send = useChange('panel_send_mail', { onDone: () => toast(t.sent(to)) });
  if (!can('panel_send_mail')) return null;
  const body = {
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: to }],
    subject: t.subject,
    html: `<h1>${t.subject}</h1><p>${t.text} <a href="https://example.com/">example.com</a></p>`,
  };
  return (
    <Button
      variant={variant}
      leftSection={<IconSend size={16} />}
      loading={send.isPending}
      onClick={() => send.mutate({ body })}
    >
      {t.send}
    </Button>
  );
}

/** The same as a command, with the reader's own slug. */
export function useSandboxCommand(): string {
  const { slug } = useInstance();
  const body = {
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
  };
  return [
    `curl ${location.origin}/v1/mails/send \\`,
    "  -H 'Authorization: Bearer YOUR_API_KEY' \\",
    `  -H 'X-Instance-Slug: ${slug}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
