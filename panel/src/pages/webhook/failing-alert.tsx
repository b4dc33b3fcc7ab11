import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { Webhook } from '../../api/operations.ts';
import { AddButton } from '../../parts/add-button.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './health.module.css';
import { ReplayDialog } from './replay-dialog.tsx';

/** What the endpoint answers, and the way to make up for it. */
export function FailingAlert({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhook');
  const { moment } = useFormat();
  const { is_active, consecutive_failures, last_status_code, failing_since } = webhook;
  if (consecutive_failures === 0) return null;
  return (
    <Alert
      className={styles['failing']}
      icon={<IconAlertTriangle size={18} />}
      title={t.is_failing(consecutive_failures)}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {last_status_code === null ? t.failing_silent : t.failing_answer(String(last_status_code))}
          {failing_since !== null && ` ${t.failing_since(moment(failing_since))}`}
        </Text>
        {is_active && (
          <AddButton
            variant="default"
            size="xs"
            label={t.recover}
            icon={IconRefresh}
            needs="panel_replay_webhook"
            dialog={(dialog) => <ReplayDialog webhook={webhook} since={failing_since} {...dialog} />}
          />
        )}
      </Stack>
    </Alert>
  );
}
