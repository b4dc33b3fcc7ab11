import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Contact } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useMay } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { Consents } from './consents.tsx';
import { ContactMails } from './contact-mails.tsx';
import { Submissions } from './submissions.tsx';

/** All that is known about one address. */
export function Page() {
  const t = useMessages('contact');
  const api = useApi();
  const [{ contact = '' }] = useUrlState();
  const { data, error } = useQuery(api.read('panel_get_contact', { params: { contact } }));
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  return (
    <main>
      <PageHeader title={data?.contact ?? contact} back={<BackLink page="contacts" />} />
      <ProblemAlert problem={error} />
      <DetailLayout aside={data ? <Aside contact={data} /> : <Skeleton height={240} />}>
        {data && <Fields contact={data} />}
        {data && <Consents contact={data} />}
        {data && <ContactMails contact={data} />}
        {data && <Submissions contact={data} />}
      </DetailLayout>
    </main>
  );
}

function Fields({ contact: { answers, submissions } }: { contact: Contact }) {
  const t = useMessages('contact');
  const formOf = (id: number | null): string =>
    submissions.find(({ form_id }) => form_id === id)?.form_name ?? `#${id}`;
  return (
    <Section title={t.fields}>
      {answers.length === 0 && <Text size="sm">{t.no_fields}</Text>}
      <Facts
        facts={answers.map(({ field_key, name, value, told_at, is_proven, form_id }) => ({
          name,
          value: (
            <Stack gap={0} key={field_key}>
              <span>{inWords(value)}</span>
              <Text size="xs" c="dimmed" component="span">
                <Time at={told_at} /> ·{' '}
                {form_id === null ? t.told_by_import : t.told_by_form(formOf(form_id))}
                {is_proven && ` · ${t.confirmed}`}
              </Text>
            </Stack>
          ),
        }))}
      />
    </Section>
  );
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return String(value);
}

function Aside({ contact }: { contact: Contact }) {
  return (
    <>
      <Suppression contact={contact} />
      {contact.rights_requests && <Requests requests={contact.rights_requests} />}
    </>
  );
}

function Suppression({ contact: { contact, suppression } }: { contact: Contact }) {
  const t = useMessages('contact');
  const { reasons } = useMessages('suppressions');
  const { restricted, unsubscribed_at, complained_at } = suppression;
  const isFree = !restricted && !unsubscribed_at && !complained_at;
  const search = { recipient: contact };
  return (
    <Section title={t.suppression}>
      {isFree && <Text size="sm">{t.gets_mail}</Text>}
      <Facts
        facts={[
          restricted && {
            name: t.restricted,
            value: (
              <PageLink page="suppressions" search={search}>
                {reasons[restricted.reason as keyof typeof reasons] ?? restricted.reason}
              </PageLink>
            ),
          },
          unsubscribed_at !== null && {
            name: t.unsubscribed,
            value: (
              <PageLink page="suppressions" search={{ ...search, list: 'unsubscribes' }}>
                <Time at={unsubscribed_at} />
              </PageLink>
            ),
          },
          complained_at !== null && {
            name: t.complained,
            value: (
              <PageLink page="suppressions" search={{ ...search, list: 'complaints' }}>
                <Time at={complained_at} />
              </PageLink>
            ),
          },
        ].map((each) => each || false)}
      />
    </Section>
  );
}

const tones = { unverified: 'quiet', open: 'warn', fulfilled: 'good', refused: 'quiet' } as const;

function Requests({ requests }: { requests: NonNullable<Contact['rights_requests']> }) {
  const t = useMessages('contact');
  const { kinds, statuses } = useMessages('rights');
  const may = useMay();
  return (
    <Section title={t.requests}>
      {requests.length === 0 && <Text size="sm">{t.no_requests}</Text>}
      <Stack gap="xs">
        {requests.map(({ id, kind, status, due_at }) => (
          <div key={id}>
            <Group gap="xs">
              {may('panel_get_rights_request') ? (
                <PageLink page="rights_request" id={id}>
                  {kinds[kind]}
                </PageLink>
              ) : (
                kinds[kind]
              )}
              <StatusBadge tone={tones[status]}>{statuses[status]}</StatusBadge>
            </Group>
            {status === 'open' && (
              <Text size="xs" c="dimmed">
                {t.due}: <Time at={due_at} />
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}
