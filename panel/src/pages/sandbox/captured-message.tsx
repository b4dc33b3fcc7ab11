import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { respond } from '../../api/call.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { saveResponse } from '../../parts/download.ts';
import { MailStatus } from '../../parts/mail-status.tsx';
import { MessageView } from '../../parts/message-view.tsx';
import { BackToList } from '../../parts/panes.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';

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
  const back = <BackToList label={t.back} onBack={onClose} />;
  useMarkRead(data);
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
            <SaveMessage mail_id={mail_id} />
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
            <Time at={data.captured_at} as="exact" /> · {bytes(data.size_bytes)}
            {data.platform_kind === null && (
              <>
                {' '}
                ·{' '}
                <PageLink page="mail" id={mail_id} size="sm" underline="always">
                  {t.to_mail}
                </PageLink>
              </>
            )}
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

/** Opened is read, by those who may say so. */
function useMarkRead(message: { mail_id: string; is_read: boolean } | undefined): void {
  const can = useCan();
  const { mutate } = useChange('panel_read_sandbox_messages');
  const unread =
    message?.is_read === false && can('panel_read_sandbox_messages') ? message.mail_id : undefined;
  useEffect(() => {
    if (unread !== undefined) mutate({ body: { mail_ids: [unread] } });
  }, [unread, mutate]);
}

function SaveMessage({ mail_id }: { mail_id: string }) {
  const t = useMessages('sandbox');
  const { slug } = useApi();
  const save = async (): Promise<void> => {
    try {
      const response = await respond('panel_get_sandbox_source', { params: { mail_id } }, { slug });
      await saveResponse(response, () => undefined);
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={() => void save()}>
      {t.save_eml}
    </Button>
  );
}
