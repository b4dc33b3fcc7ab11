import { Select, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Domain } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';

const mostListed = 100;

/** Whether addresses that are not registered may send, and with the settings of which sender. */
export function AnySender({ domain: { id, any_sender, default_sender_id } }: { domain: Domain }) {
  const t = useMessages('domain');
  const api = useApi();
  const can = useCan();
  const { data } = useQuery(
    api.read('panel_list_senders', { query: { domain_id: id, page_size: mostListed } }),
  );
  const update = useChange('panel_update_domain', { onDone: () => toast(t.any_sender_saved) });
  const mayChange = can('panel_update_domain');
  const senders = data?.data ?? [];
  if (data && senders.length === 0) {
    return (
      <Section title={t.any_sender}>
        <Text size="sm" c="dimmed" mb="xs">
          {t.any_sender_needs}
        </Text>
        <PageLink page="senders" size="sm">
          {t.to_senders}
        </PageLink>
      </Section>
    );
  }
  return (
    <Section title={t.any_sender}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.any_sender_about}
        </Text>
        <Select
          label={t.default_sender}
          description={t.default_sender_about}
          placeholder={t.no_default_sender}
          data={senders.map((sender) => ({ value: String(sender.id), label: sender.email_address }))}
          value={default_sender_id === null ? null : String(default_sender_id)}
          onChange={(value) =>
            update.mutate({
              params: { id },
              body: { default_sender_id: value === null ? null : Number(value) },
            })
          }
          disabled={!mayChange || update.isPending}
          clearable={!any_sender}
          allowDeselect={false}
          searchable
        />
        <Switch
          label={t.any_sender_switch}
          checked={any_sender}
          onChange={(event) =>
            update.mutate({ params: { id }, body: { any_sender: event.currentTarget.checked } })
          }
          disabled={!mayChange || default_sender_id === null || update.isPending}
        />
        <ProblemAlert problem={update.error} />
      </Stack>
    </Section>
  );
}
