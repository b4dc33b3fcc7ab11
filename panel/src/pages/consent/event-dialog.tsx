import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import { IconClockX, IconFileCertificate, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ConsentEvent } from '../../api/operations.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { Facts } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { EventState } from './event-state.tsx';
import { Rules } from './rules.tsx';

/** One event of the list. */
export function EventDialog({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const t = useMessages('consent');
  const api = useApi();
  const { data, error } = useQuery({
    ...api.read('panel_get_consent_event', { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  });
  return (
    <Modal opened={id !== undefined} onClose={onClose} title={t.event(String(id ?? ''))}>
      <ProblemAlert problem={error} />
      {!error && (data?.id === id && data ? <EventBody event={data} /> : <Skeleton height={220} />)}
    </Modal>
  );
}

function EventBody({ event }: { event: ConsentEvent }) {
  const t = useMessages('consent');
  const values = useMessages('consent_values');
  const can = useCan();
  const { termName, versionName, purposeName } = useCatalogue();
  const contacts = [...new Set(event.rules.map(({ contact }) => contact))];
  const [only] = contacts;
  return (
    <Stack gap="md">
      <Facts
        facts={[
          { name: t.contact, value: contacts.join(', ') },
          { name: t.status, value: <EventState event={event} /> },
          {
            name: t.rules,
            value: (
              <Rules
                rules={event.rules}
                purposeName={purposeName}
                contact={contacts.length === 1 ? only : undefined}
              />
            ),
          },
          {
            name: t.term,
            value: (
              <PageLink
                page="consent_term"
                id={event.term_id}
                search={{ version: String(event.term_version_id) }}
                underline="always"
              >
                {termName(event.term_id)} · {versionName(event)}
              </PageLink>
            ),
          },
          { name: t.source, value: values.sources[event.source] },
          { name: t.method, value: values.methods[event.method] },
          { name: t.at, value: <Time at={event.created_at} as="exact" /> },
          event.confirmed_at !== null &&
            event.confirmed_at !== event.created_at && {
              name: t.confirmed_at,
              value: <Time at={event.confirmed_at} as="exact" />,
            },
          event.expired_at !== null && {
            name: t.expired_at,
            value: <Time at={event.expired_at} as="exact" />,
          },
        ]}
      />
      {can('panel_get_consent_evidence') && only !== undefined && (
        <PageLink page="consent_evidence" search={{ contact: only }} underline="always">
          <Group gap={6} component="span">
            <IconFileCertificate size={16} aria-hidden /> {t.its_evidence}
          </Group>
        </PageLink>
      )}
      {event.status === 'pending' && <PendingActions event={event} />}
    </Stack>
  );
}

/** The person has to answer; what can be done meanwhile. */
function PendingActions({ event: { id, source } }: { event: ConsentEvent }) {
  const t = useMessages('consent');
  const can = useCan();
  const params = { id };
  const resend = useChange('panel_resend_consent_confirmation', { onDone: () => toast(t.resent) });
  const expire = useChange('panel_expire_consent_event', { onDone: () => toast(t.expired) });
  return (
    <>
      <ProblemAlert problem={resend.error} />
      <Group gap="xs">
        {source === 'form' && can('panel_resend_consent_confirmation') && (
          <Button
            variant="default"
            leftSection={<IconSend size={16} />}
            loading={resend.isPending}
            onClick={() => resend.mutate({ params })}
          >
            {t.resend}
          </Button>
        )}
        {can('panel_expire_consent_event') && (
          <RemoveButton
            label={t.expire}
            icon={IconClockX}
            about={t.expire_about}
            run={async () => await expire.mutateAsync({ params })}
          />
        )}
      </Group>
    </>
  );
}
