import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { MailStatus } from '../../parts/mail-status.tsx';
import { MessageView } from '../../parts/message-view.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import styles from './sandbox.module.css';

export function CapturedMessage({ mail_id, onClose }: { mail_id: string; onClose: () => void }) {
  const t = useMessages('sandbox');
  const parts = useMessages('message_view');
  const api = useApi();
  const { bytes } = useFormat();
  const can = useCan();
  const remove = useChange('panel_delete_sandbox_message', {
    onDone: () => {
      toast(t.removed);
      onClose();
    },
  });
  const { data, error, isPlaceholderData } = useQuery(
    api.read('panel_get_sandbox_message', { params: { mail_id } }),
  );
  const back = (
    <Button
      variant="subtle"
      color="gray"
      className={styles['back']}
      leftSection={<IconArrowLeft size={16} />}
      onClick={onClose}
      mb="xs"
    >
      {t.back}
    </Button>
  );
  if (error) {
    return (
      <>
        {back}
        <ProblemAlert problem={error} />
      </>
    );
  }
  if (!data || isPlaceholderData) return <Skeleton height={480} radius="lg" />;
  return (
    <>
      {back}
      <Section
        title={data.subject || t.no_subject}
        actions={
          <Group gap="xs">
            <MailStatus status={data.status} />
            {can('panel_delete_sandbox_message') && (
              <Button
                size="xs"
                variant="default"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { mail_id } })}
              >
                {t.remove}
              </Button>
            )}
          </Group>
        }
      >
        <Text size="sm" c="dimmed" mb="md" component="div">
          <div>
            {t.from} {data.sender} · {t.to} {data.recipient}
          </div>
          <div>
            <Time at={data.captured_at} as="exact" /> · {bytes(data.size_bytes)} ·{' '}
            <PageLink page="mail" id={mail_id} size="sm" underline="always">
              {t.to_mail}
            </PageLink>
          </div>
        </Text>
        <MessageView
          message={data}
          source={() => <CopyField block value={data.raw} label={parts.source} />}
        />
      </Section>
    </>
  );
}
