import { Modal, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

/** What people wrote to the addresses that every domain must have (RFC 2142). */
export function PostmasterMail({ domain }: { domain: string }) {
  const t = useMessages('domain');
  const api = useApi();
  const [read, setRead] = useState<number>();
  const { data } = useQuery(api.read('panel_list_inbound_messages', { query: { page_size: 100 } }));
  const message = useQuery({
    ...api.read('panel_get_inbound_message', { params: { id: read ?? 0 } }),
    enabled: read !== undefined,
  });
  const rows = data?.data.filter(({ recipient }) => recipient.endsWith(`@${domain}`));
  return (
    <Section title={t.letters} flush={rows !== undefined && rows.length > 0}>
      {rows?.length === 0 ? (
        <Text c="dimmed">{t.no_letters}</Text>
      ) : (
        <DataList
          label={t.letters}
          rows={rows}
          idOf={({ id }) => id}
          columns={[
            {
              name: 'from',
              header: t.source,
              cell: ({ id, header_from }) => (
                <UnstyledButton onClick={() => setRead(id)} td="underline">
                  {header_from}
                </UnstyledButton>
              ),
            },
            { name: 'subject', header: t.value, cell: ({ subject }) => subject, rank: 1 },
            {
              name: 'at',
              header: t.added,
              min: 11,
              align: 'end',
              cell: ({ received_at }) => <Time at={received_at} />,
            },
          ]}
        />
      )}
      <Modal
        opened={read !== undefined}
        onClose={() => setRead(undefined)}
        title={message.data?.subject}
        size="xl"
      >
        {message.data && <CopyField block value={message.data.raw} label={t.letters} />}
      </Modal>
    </Section>
  );
}
