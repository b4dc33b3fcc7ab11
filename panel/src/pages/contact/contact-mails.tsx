import { Text } from '@mantine/core';
import type { Contact } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { MailStatus } from '../../parts/mail-status.tsx';
import { Time } from '../../parts/time.tsx';

/** The newest mails; the list of mails has all. */
export function ContactMails({ contact: { contact, mails } }: { contact: Contact }) {
  const t = useMessages('contact');
  return (
    <Section
      title={t.mails}
      flush={mails.length > 0}
      actions={
        mails.length > 0 && (
          <PageLink page="mails" search={{ recipient: contact }}>
            {t.all_mails}
          </PageLink>
        )
      }
    >
      {mails.length === 0 ? (
        <Text size="sm">{t.no_mails}</Text>
      ) : (
        <DataList
          label={t.mails}
          rows={mails}
          idOf={({ mail_id }) => mail_id}
          to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
          columns={[
            { name: 'subject', header: t.subject, cell: ({ subject }) => subject },
            {
              name: 'status',
              header: t.status,
              min: 7,
              cell: ({ status }) => <MailStatus status={status} />,
              rank: 1,
            },
            {
              name: 'received',
              header: t.received,
              min: 10,
              align: 'end',
              cell: ({ received_at }) => <Time at={received_at} />,
              rank: 2,
            },
          ]}
        />
      )}
    </Section>
  );
}
