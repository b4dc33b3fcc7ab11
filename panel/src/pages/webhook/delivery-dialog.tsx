import { Button, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookAttempt, WebhookDeliveryDetail } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { DeliveryState } from './delivery-state.tsx';

/** One delivery: what is posted, and each attempt with its request, answer and time. */
export function DeliveryDialog({
  webhook,
  delivery_id,
  onClose,
}: {
  webhook: Webhook;
  /** Undefined: closed. */
  delivery_id: number | undefined;
  onClose: () => void;
}) {
  const t = useMessages('webhook');
  return (
    <Modal opened={delivery_id !== undefined} onClose={onClose} title={t.delivery} size="xl">
      {delivery_id !== undefined && <DeliveryBody webhook={webhook} delivery_id={delivery_id} />}
    </Modal>
  );
}

function DeliveryBody({ webhook, delivery_id }: { webhook: Webhook; delivery_id: number }) {
  const t = useMessages('webhook');
  const api = useApi();
  const can = useCan();
  const params = { id: webhook.id, delivery_id };
  const { data, error } = useQuery({
    ...api.read('panel_get_webhook_delivery', { params }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 2_000 : false),
  });
  const replay = useChange('panel_replay_webhook_delivery', { onDone: () => toast(t.replayed_one) });
  if (error) return <ProblemAlert problem={error} />;
  if (data?.id !== delivery_id) return <Skeleton height={280} />;
  return (
    <Stack gap="lg">
      <DeliveryFacts delivery={data} />
      <Stack gap="xs">
        <Text fw={600}>{t.attempts}</Text>
        {data.log.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t.no_attempts}
          </Text>
        ) : (
          <AttemptTimeline log={data.log} />
        )}
      </Stack>
      <Stack gap="xs">
        <Text fw={600}>{t.payload}</Text>
        {data.body === null ? (
          <Text size="sm" c="dimmed">
            {t.payload_gone}
          </Text>
        ) : (
          <CopyField value={indented(data.body)} label={t.payload} block />
        )}
      </Stack>
      <ProblemAlert problem={replay.error} />
      {can('panel_replay_webhook_delivery') && webhook.is_active && (
        <Group justify="flex-end">
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={replay.isPending}
            onClick={() => replay.mutate({ params })}
          >
            {t.replay}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useMessages('webhook');
  const names = useMessages('webhook_events');
  const { type, state, event_at, mail_id, message_id, next_attempt_at, replayed_at } = delivery;
  return (
    <Facts
      facts={[
        {
          name: t.event,
          value: (
            <>
              {names[type].name} <Code>{type}</Code>
            </>
          ),
        },
        { name: t.state, value: <DeliveryState state={state} /> },
        { name: t.event_at, value: <Time at={event_at} as="exact" /> },
        { name: 'webhook-id', value: <CopyField value={message_id} label={t.copy_id} /> },
        mail_id !== null && {
          name: t.mail,
          value: (
            <PageLink page="mail" id={mail_id} inherit>
              {mail_id}
            </PageLink>
          ),
        },
        next_attempt_at !== null && { name: t.next_attempt, value: <Time at={next_attempt_at} as="exact" /> },
        replayed_at !== null && { name: t.replayed, value: <Time at={replayed_at} as="exact" /> },
      ]}
    />
  );
}

/** Newest first. */
function AttemptTimeline({ log }: { log: WebhookAttempt[] }) {
  const t = useMessages('webhook');
  const { seconds } = useFormat();
  const items = log.toReversed().map((each) => ({
    id: each.at,
    at: each.at,
    tone: each.error === null ? ('good' as const) : ('bad' as const),
    title: t.attempt(
      String(each.attempt),
      String(each.status_code ?? each.error),
      seconds(each.duration_ms / 1000),
    ),
    children: <Exchange attempt={each} />,
  }));
  return <Timeline items={items} label={t.attempts} />;
}

function Exchange({ attempt }: { attempt: WebhookAttempt }) {
  const t = useMessages('webhook');
  const { url, request_headers, status_code, response_headers, response_body } = attempt;
  const lines = (headers: Record<string, string>): string[] =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const answer = [...lines(response_headers), '', response_body].join('\n').trim();
  return (
    <Stack gap="xs" mt="xs">
      <details>
        <summary>{t.request}</summary>
        <CopyField value={[`POST ${url}`, ...lines(request_headers)].join('\n')} label={t.request} block />
      </details>
      {status_code !== null && (
        <details open={attempt.error !== null}>
          <summary>{t.response}</summary>
          <CopyField value={answer || t.empty_answer} label={t.response} block />
        </details>
      )}
    </Stack>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
