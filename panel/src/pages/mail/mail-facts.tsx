import { Stack } from '@mantine/core';
import type { MailRecord, MessageContent } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts, Section } from '../../parts/detail.tsx';
import { MailStatus } from '../../parts/mail-status.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';

export function MailFacts({ mail, content }: { mail: MailRecord; content: MessageContent | undefined }) {
  const t = useMessages('mail');
  const { number, seconds, bytes } = useFormat();
  const tags = Object.entries(mail.tags);
  const copied = (value: string | null) => value !== null && <CopyField value={value} />;
  return (
    <>
      <Section title={t.facts}>
        <Facts
          facts={[
            { name: t.sender, value: mail.sender },
            mail.schedule_at !== null && {
              name: t.schedule,
              value: <Time at={mail.schedule_at} as="exact" />,
            },
            mail.delay !== null && { name: t.delay, value: seconds(mail.delay) },
            { name: t.opens, value: number(mail.opens) },
            { name: t.clicks, value: number(mail.clicks) },
            content && { name: t.size, value: bytes(content.size_bytes) },
            { name: t.mail_id, value: copied(mail.mail_id) },
            mail.category !== null && {
              name: t.category,
              value: (
                <PageLink page="mails" search={{ category: mail.category }}>
                  {mail.category}
                </PageLink>
              ),
            },
            mail.test_mode && { name: t.test_mode, value: t.test_mode_about },
            mail.msg_id !== null && { name: t.msg_id, value: copied(mail.msg_id) },
            mail.custom_msg_id !== null && { name: t.custom_msg_id, value: copied(mail.custom_msg_id) },
            mail.custom_group_code !== null && {
              name: t.custom_group_code,
              value: copied(mail.custom_group_code),
            },
            tags.length > 0 && {
              name: t.tags,
              value: tags.map(([name, value]) => (
                <div key={name}>
                  <PageLink page="mails" search={{ tag: `${name}:${value}` }}>
                    {name}: {value}
                  </PageLink>
                </div>
              )),
            },
          ]}
        />
      </Section>
      {content && content.siblings.length > 0 && (
        <Section title={t.siblings}>
          <Stack gap="xs">
            {content.siblings.map(({ mail_id, to, status }) => (
              <div key={mail_id}>
                <PageLink page="mail" id={mail_id}>
                  {to}
                </PageLink>{' '}
                <MailStatus status={status} />
              </div>
            ))}
          </Stack>
        </Section>
      )}
    </>
  );
}
