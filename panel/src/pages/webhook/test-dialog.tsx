import { Button, Group, Loader, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { eventTypes, type EventType } from '../webhooks/event-types.ts';

/** Posts a test event, and shows what the endpoint answered. */
export function TestDialog({
  opened,
  onClose,
  webhook: { id, url, format },
}: {
  opened: boolean;
  onClose: () => void;
  webhook: Webhook;
}) {
  const t = useMessages('webhook');
  return (
    <Modal opened={opened} onClose={onClose} title={t.test}>
      {opened && <TestBody id={id} url={url} format={format} />}
    </Modal>
  );
}

function TestBody({ id, url, format }: Pick<Webhook, 'id' | 'url' | 'format'>) {
  const t = useMessages('webhook');
  const { seconds } = useFormat();
  const { mutate, data, error, isPending } = useChange('panel_test_webhook');
  const names = useMessages('webhook_events');
  const [type, setType] = useState<EventType>();
  // The forms of other services have events of mail only.
  const offered = eventTypes.filter((each) => format === 'chasqui' || each.startsWith('mail.'));
  const run = (): void => mutate({ params: { id }, query: { type } });
  return (
    <Stack gap="md" aria-live="polite">
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.test_about(url)}
      </Text>
      <Select
        label={t.test_event}
        data={[
          { value: '', label: t.test_plain },
          ...offered.map((value) => ({ value, label: `${names[value].name} (${value})` })),
        ]}
        value={type ?? ''}
        allowDeselect={false}
        onChange={(value) => setType(offered.find((each) => each === value))}
      />
      {isPending && <Loader size="sm" aria-label={t.testing} />}
      {data && !isPending && (
        <>
          <div>
            <StatusBadge tone={data.delivered ? 'good' : 'bad'}>
              {data.delivered ? t.test_delivered : t.test_failed}
            </StatusBadge>
          </div>
          <Facts
            facts={[
              { name: t.answer, value: data.status_code ?? t.no_answer },
              data.error !== null && { name: t.error, value: data.error },
              { name: t.took, value: seconds(data.latency_ms / 1000) },
            ]}
          />
          {data.response_body !== '' && <CopyField value={data.response_body} label={t.response} block />}
          <details>
            <summary>{t.payload}</summary>
            <CopyField value={data.request_body} label={t.payload} block />
          </details>
        </>
      )}
      <ProblemAlert problem={error} />
      <Group justify="flex-end">
        <Button loading={isPending} onClick={run} data-autofocus>
          {data || error ? t.test_again : t.test_send}
        </Button>
      </Group>
    </Stack>
  );
}
