import { Box, Group, Skeleton, Text } from '@mantine/core';
import { IconDownload, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { respond } from '../../api/call.ts';
import type { ReceivedMail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { ActionMenu } from '../../parts/actions.tsx';
import { Section } from '../../parts/detail.tsx';
import { saveResponse } from '../../parts/download.ts';
import { MessageView } from '../../parts/message-view.tsx';
import { Notice } from '../../parts/notice.tsx';
import { BackToList } from '../../parts/panes.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { MessageSource } from './message-source.tsx';
import { ReplyPart } from './reply-part.tsx';
import { SenderFacts } from './sender-facts.tsx';
import { WithdrawalOffer } from './withdrawal-offer.tsx';

/** One received mail, shown as safely as those of the sandbox. */
export function ReceivedMessage({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useMessages('received');
  const api = useApi();
  const { data, error, isPlaceholderData } = useQuery(
    api.read('panel_get_received_mail', { params: { id } }),
  );
  useMarkRead(data);
  const back = <BackToList label={t.back} onBack={onClose} />;
  if (error)
    return (
      <>
        {back}
        <ProblemAlert problem={error} />
      </>
    );
  if (!data || isPlaceholderData) return <Skeleton height={480} radius="lg" />;
  return (
    <>
      {back}
      <WithdrawalOffer received_mail_id={id} />
      <Section title={data.subject || t.no_subject} actions={<Actions mail={data} onClose={onClose} />}>
        <Head mail={data} />
        <Content mail={data} />
      </Section>
    </>
  );
}

function Head({ mail }: { mail: ReceivedMail }) {
  const t = useMessages('received');
  const { bytes } = useFormat();
  const { from_name, from_address, mail_from, recipient, received_at, size_bytes, automation } = mail;
  const sender = from_address ?? mail_from ?? t.nobody;
  return (
    <Text size="sm" c="dimmed" mb="md" component="div" style={{ overflowWrap: 'anywhere' }}>
      <div>
        {t.from} {from_name ? `${from_name} <${sender}>` : sender} · {t.to} {recipient}
      </div>
      <Group gap="xs">
        <span>
          <Time at={received_at} as="exact" /> · {bytes(size_bytes)}
        </span>
        {mail.in_reply_to_mail_id && (
          <PageLink page="mail" id={mail.in_reply_to_mail_id} size="sm" underline="always">
            {t.answers}
          </PageLink>
        )}
        {automation?.is_auto_reply && <StatusBadge tone="quiet">{t.auto_reply}</StatusBadge>}
        {automation?.list_id && <StatusBadge tone="quiet">{t.list}</StatusBadge>}
        {automation?.is_loop && <StatusBadge tone="warn">{t.loop}</StatusBadge>}
      </Group>
    </Text>
  );
}

function Content({ mail }: { mail: ReceivedMail }) {
  const t = useMessages('received');
  const { slug } = useApi();
  const { id, html, text, headers, attachments, state, is_truncated } = mail;
  const download = async (index: number): Promise<void> => {
    const n = attachments[index]?.n;
    if (n === undefined) return;
    await save(
      async () => await respond('panel_get_received_mail_attachment', { params: { id, n } }, { slug }),
    );
  };
  return (
    <>
      {state !== 'parsed' && (
        <Box mb="md">
          <Notice>{state === 'failed' ? t.parse_failed : t.parse_pending}</Notice>
        </Box>
      )}
      {is_truncated && (
        <Text size="sm" mb="md">
          {t.truncated}
        </Text>
      )}
      <MessageView
        message={{
          html,
          text,
          headers,
          attachments: attachments.map(({ filename, content_type: type, size_bytes }) => ({
            filename,
            type,
            size_bytes,
          })),
        }}
        source={() => <MessageSource id={id} />}
        onDownload={(index) => void download(index)}
        more={[
          { name: 'reply', label: t.reply, content: () => <ReplyPart mail={mail} /> },
          { name: 'facts', label: t.facts, content: () => <SenderFacts mail={mail} /> },
        ]}
      />
    </>
  );
}

function Actions({ mail: { id }, onClose }: { mail: ReceivedMail; onClose: () => void }) {
  const t = useMessages('received');
  const { slug } = useApi();
  const can = useCan();
  const parse = useChange('panel_parse_received_mail', { onDone: () => toast(t.parsing) });
  const remove = useChange('panel_delete_received_mail', {
    onDone: () => {
      toast(t.removed);
      onClose();
    },
  });
  return (
    <ActionMenu
      actions={[
        {
          label: t.save_eml,
          icon: IconDownload,
          run: async () =>
            await save(
              async () => await respond('panel_get_received_mail_source', { params: { id } }, { slug }),
            ),
        },
        can('panel_parse_received_mail') && {
          label: t.parse_again,
          icon: IconRefresh,
          run: async () => await parse.mutateAsync({ params: { id } }),
        },
        can('panel_delete_received_mail') && {
          label: t.remove,
          icon: IconTrash,
          about: t.remove_about,
          isDangerous: true,
          run: async () => await remove.mutateAsync({ params: { id } }),
        },
      ]}
    />
  );
}

async function save(ask: () => Promise<Response>): Promise<void> {
  try {
    await saveResponse(await ask(), () => undefined);
  } catch (error) {
    toast((error as Error).message);
  }
}

/** Opened is read, by those who may say so. */
function useMarkRead(mail: ReceivedMail | undefined): void {
  const can = useCan();
  const { mutate } = useChange('panel_read_received_mail');
  const unread = mail?.is_read === false && can('panel_read_received_mail') ? mail.id : undefined;
  useEffect(() => {
    if (unread !== undefined) mutate({ params: { id: unread } });
  }, [unread, mutate]);
}
