import { Skeleton, Stack } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Message } from '../../parts/message.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { WebhookState } from '../webhooks/webhook-state.tsx';
import { Deliveries } from './deliveries.tsx';
import { FailingAlert } from './failing-alert.tsx';
import { Health } from './health.tsx';
import { WebhookActions } from './webhook-actions.tsx';

/** One webhook: how it does, and everything that was posted to it. */
export function Page() {
  const t = useMessages('webhook');
  const api = useApi();
  const { id: text } = useParams({ strict: false });
  const id = Number(text);
  const { data: webhook, error } = useQuery(api.read('panel_get_webhook', { params: { id } }));
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  return (
    <main>
      <PageHeader
        title={webhook?.name ?? t.title}
        badge={webhook && <WebhookState webhook={webhook} />}
        back={<BackLink page="webhooks" />}
        actions={webhook && <WebhookActions webhook={webhook} />}
      >
        {webhook?.url}
      </PageHeader>
      <ProblemAlert problem={error} />
      <DetailLayout aside={webhook ? <WebhookFacts webhook={webhook} /> : <Skeleton height={240} />}>
        {webhook && <PausedNotice webhook={webhook} />}
        {webhook && <FailingAlert webhook={webhook} />}
        <Health id={id} />
        {webhook && <Deliveries webhook={webhook} />}
      </DetailLayout>
    </main>
  );
}

function PausedNotice({
  webhook: { is_active, auto_paused_at, consecutive_failures },
}: {
  webhook: Webhook;
}) {
  const t = useMessages('webhook');
  if (is_active) return null;
  return (
    <Notice icon={<IconPlayerPause size={18} />} title={t.is_paused}>
      {auto_paused_at === null ? t.paused_about : t.auto_paused_about(consecutive_failures)}
    </Notice>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhook');
  const names = useMessages('webhook_events');
  const { number } = useFormat();
  const { events, consecutive_failures, previous_secret_expires_at } = webhook;
  return (
    <Section title={t.about}>
      <Facts
        facts={[
          { name: t.id, value: <CopyField value={String(webhook.id)} label={t.copy_id} /> },
          {
            name: t.events,
            value:
              events === null ? t.all_events : <EventNames names={events.map((each) => names[each].name)} />,
          },
          webhook.header_names.length > 0 && {
            name: t.headers,
            value: <EventNames names={webhook.header_names} />,
          },
          { name: t.last_success, value: <Time at={webhook.last_success_at} /> },
          { name: t.last_failure, value: <Time at={webhook.last_failure_at} /> },
          webhook.last_status_code !== null && { name: t.last_status, value: webhook.last_status_code },
          consecutive_failures > 0 && { name: t.failures, value: number(consecutive_failures) },
          previous_secret_expires_at !== null && {
            name: t.previous_secret,
            value: <Time at={previous_secret_expires_at} />,
          },
          { name: t.created, value: <Time at={webhook.created_at} /> },
        ]}
      />
    </Section>
  );
}

function EventNames({ names }: { names: string[] }) {
  return (
    <Stack gap={0}>
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
    </Stack>
  );
}
