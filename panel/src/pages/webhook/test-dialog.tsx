import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { Webhook } from '../../api/operations.ts';
import { Facts } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

/** Posts a test event at once, and shows what the endpoint answered. */
export function TestDialog({
  opened,
  onClose,
  webhook: { id, url },
}: {
  opened: boolean;
  onClose: () => void;
  webhook: Webhook;
}) {
  const t = useMessages('webhook');
  return (
    <Modal opened={opened} onClose={onClose} title={t.test}>
      {opened && <TestBody id={id} url={url} />}
    </Modal>
  );
}

function TestBody({ id, url }: { id: number; url: string }) {
  const t = useMessages('webhook');
  const { seconds } = useFormat();
  const { mutate, data, error, isPending } = useChange('panel_test_webhook');
  const run = (): void => mutate({ params: { id } });
  useEffect(() => mutate({ params: { id } }), [mutate, id]);
  return (
    <Stack gap="md" aria-live="polite">
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.test_about(url)}
      </Text>
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
        </>
      )}
      <ProblemAlert problem={error} />
      <Group justify="flex-end">
        <Button variant="default" loading={isPending} onClick={run}>
          {t.test_again}
        </Button>
      </Group>
    </Stack>
  );
}
