import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { InstanceSettings } from '../../api/operations.ts';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { SettingsForm } from './settings-form.tsx';

export function Page() {
  const t = useMessages('settings');
  const api = useApi();
  const can = useCan();
  const { data, error } = useQuery(api.read('panel_get_instance', {}));
  return (
    <main>
      <PageHeader title={t.title} />
      <ProblemAlert problem={error} />
      {data ? (
        <DetailLayout aside={<Plan settings={data} />}>
          {can('panel_update_instance') ? <SettingsForm settings={data} /> : <Shown settings={data} />}
        </DetailLayout>
      ) : (
        !error && <Skeleton height={320} />
      )}
    </main>
  );
}

/** For those who may not change them. */
function Shown({ settings: { name, slug, timezone, ip_allowlist } }: { settings: InstanceSettings }) {
  const t = useMessages('settings');
  return (
    <Section title={t.general}>
      <Facts
        facts={[
          { name: t.name, value: name },
          { name: t.slug, value: slug },
          { name: t.timezone, value: timezone },
          { name: t.addresses, value: ip_allowlist.join(', ') || t.anywhere },
        ]}
      />
    </Section>
  );
}

function Plan({ settings }: { settings: InstanceSettings }) {
  const t = useMessages('settings');
  const { number, bytes } = useFormat();
  const { subscription_status, is_enabled, plan_send_limit } = settings;
  return (
    <Section title={t.plan}>
      <Facts
        facts={[
          {
            name: t.subscription,
            value: is_enabled ? (
              <StatusBadge tone={subscription_status === 'active' ? 'good' : 'bad'}>
                {t.subscriptions[subscription_status]}
              </StatusBadge>
            ) : (
              <StatusBadge tone="bad">{t.disabled}</StatusBadge>
            ),
          },
          { name: t.limit, value: plan_send_limit === null ? t.no_limit : number(plan_send_limit) },
          { name: t.attachments, value: t.attachments_help(bytes(settings.attachment_limit_bytes)) },
          { name: t.retention, value: t.months(settings.retention_months) },
          { name: t.created, value: <Time at={settings.created_at} /> },
        ]}
      />
      <Text size="xs" c="dimmed" mt="md">
        {t.by_operator}
      </Text>
    </Section>
  );
}
