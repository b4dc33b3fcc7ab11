import { List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ConsentTermDependents } from '../../api/operations.ts';
import { Facts, Section } from '../../parts/detail.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';

const maxCounted = 10_000;

export function useDependents(id: number): ConsentTermDependents | undefined {
  const api = useApi();
  return useQuery(api.read('panel_get_consent_term_dependents', { params: { id } })).data;
}

export function useEventCount(): (count: number | null) => string {
  const t = useMessages('consent_term');
  const { number } = useFormat();
  return (count) => (count === null ? t.over(number(maxCounted)) : number(count));
}

/** What depends on a term, in numbers. */
export function Dependents({ id }: { id: number }) {
  const t = useMessages('consent_term');
  const { number } = useFormat();
  const eventCount = useEventCount();
  const data = useDependents(id);
  if (!data) return <Skeleton height={200} radius="lg" />;
  const { form_count, closing_form_count, sender_count, stranded_sender_count } = data;
  const counted = (count: number, more: string | false) => (
    <>
      {number(count)}
      {more && (
        <Text component="span" size="sm" c="dimmed">
          {' '}
          · {more}
        </Text>
      )}
    </>
  );
  return (
    <Section title={t.depends}>
      <Facts
        facts={[
          {
            name: t.forms,
            value: counted(form_count, closing_form_count > 0 && t.closing(number(closing_form_count))),
          },
          {
            name: t.senders,
            value: counted(
              sender_count,
              stranded_sender_count > 0 && t.stranded(number(stranded_sender_count)),
            ),
          },
          { name: t.waiting, value: number(data.pending_event_count) },
          {
            name: t.events,
            value: (
              <PageLink page="consent" search={{ list: 'events', term_id: String(id) }} underline="always">
                {eventCount(data.event_count)}
              </PageLink>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The same in sentences, before the term is deactivated. */
export function DependentSentences({ dependents }: { dependents: ConsentTermDependents }) {
  const t = useMessages('consent_term');
  const { number } = useFormat();
  const eventCount = useEventCount();
  const { form_count, sender_count, pending_event_count, event_count, forms } = dependents;
  return (
    <List size="sm" spacing={4} mt="xs">
      <List.Item>
        {t.say_forms(form_count, number(form_count), number(dependents.closing_form_count))}
        {forms.length > 0 && ` (${forms.map(({ name }) => name).join(', ')})`}
      </List.Item>
      <List.Item>
        {t.say_senders(sender_count, number(sender_count), number(dependents.stranded_sender_count))}
      </List.Item>
      <List.Item>{t.say_waiting(pending_event_count, number(pending_event_count))}</List.Item>
      <List.Item>{t.say_events(event_count ?? maxCounted, eventCount(event_count))}</List.Item>
    </List>
  );
}
