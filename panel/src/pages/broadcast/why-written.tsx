import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Broadcast } from '../../api/operations.ts';
import { respond } from '../../api/call.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { Section } from '../../parts/detail.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { Form } from '../../parts/form.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';

/** For one address: the consent on which its mail is based, and the way to its evidence. All of them as a file. */
export function WhyWritten({ broadcast: { id } }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast_report');
  const { slug, timezone: tz } = useInstance();
  const [typed, setTyped] = useState('');
  const [contact, setContact] = useState('');
  return (
    <Section
      title={t.why}
      actions={
        <ExportMenu
          run={async (format, signal) =>
            await respond(
              'panel_export_broadcast_recipients',
              { params: { id }, query: { format, tz } },
              { slug, signal },
            )
          }
        />
      }
    >
      <Stack gap="sm">
        <Form onSubmit={() => setContact(typed.trim())}>
          <Group gap="xs" align="flex-end">
            <TextInput
              label={t.contact}
              type="email"
              flex="1 1 14rem"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              {t.look_up}
            </Button>
          </Group>
        </Form>
        {contact !== '' && <Recipient id={id} contact={contact} />}
      </Stack>
    </Section>
  );
}

function Recipient({ id, contact }: { id: number; contact: string }) {
  const t = useMessages('broadcast_report');
  const api = useApi();
  const { data, error } = useQuery(
    api.read('panel_list_broadcast_recipients', { params: { id }, query: { contact, page_size: 1 } }),
  );
  if (error) return <ProblemAlert problem={error} />;
  const [found] = data?.data ?? [];
  if (data && !found) return <Text size="sm">{t.not_recipient}</Text>;
  if (!found) return null;
  return (
    <Group gap="md" role="status">
      <Text size="sm">
        {t.agreed(found.term_version ?? '—')}
        {found.agreed_at !== null && (
          <>
            {' · '}
            <Time at={found.agreed_at} as="exact" />
          </>
        )}
      </Text>
      <PageLink page="consent_evidence" search={{ contact: found.contact }}>
        {t.evidence}
      </PageLink>
      {found.mail_id !== null && (
        <PageLink page="mail" id={found.mail_id}>
          {found.mail_id.slice(0, 8)}
        </PageLink>
      )}
    </Group>
  );
}
