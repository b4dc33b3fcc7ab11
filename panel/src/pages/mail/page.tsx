import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { respond } from '../../api/call.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { DetailLayout, Section } from '../../parts/detail.tsx';
import { saveFile } from '../../parts/download.ts';
import { MailMarks } from '../../parts/mail-marks.tsx';
import { MailStatus } from '../../parts/mail-status.tsx';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useLive } from '../../parts/app/use-live.ts';
import type { Ask } from './advised.ts';
import { MailActions } from './mail-actions.tsx';
import { MailExplanation } from './mail-explanation.tsx';
import { MailFacts } from './mail-facts.tsx';
import { MailMessage } from './mail-message.tsx';
import { MailTimeline } from './mail-timeline.tsx';

/** One mail: why it did or did not arrive, every step, and what it looked like. */
export function Page() {
  const t = useMessages('mail');
  const api = useApi();
  const can = useCan();
  const queries = useQueryClient();
  const { id: mail_id } = useParams({ strict: false }) as { id: string };
  const params = { mail_id };
  const mail = useQuery(api.read('panel_get_mail', { params }));
  const content = useQuery({
    ...api.read('panel_get_mail_content', { params }),
    enabled: can('panel_get_mail_content'),
    staleTime: Infinity,
  });
  useLive(true, (happened) => {
    if (happened.mail.mail_id === mail_id) void queries.invalidateQueries({ queryKey: [api.slug] });
  });
  const [asked, ask] = useState<Ask>();
  const restrictions = useQuery({
    ...api.read('panel_list_restrictions', { query: { recipient: mail.data?.to, page_size: 1 } }),
    enabled: mail.data !== undefined && mail.data.status !== 3,
  });
  const restriction = restrictions.data?.data.find(({ recipient }) => recipient === mail.data?.to);
  if (mail.error?.status === 404 || mail.error?.status === 422 || mail.error?.status === 410) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  const shown = mail.data;
  return (
    <main>
      <PageHeader
        title={shown?.subject || t.title}
        badge={shown && <MailStatus status={shown.status} schedule_at={shown.schedule_at} />}
        back={<BackLink page="mails" />}
        actions={
          shown && (
            <MailActions
              mail={shown}
              content={content.data}
              asked={asked}
              onAsk={ask}
              restriction_id={restriction?.id}
            />
          )
        }
      >
        {shown && (
          <>
            <PageLink page="mails" search={{ recipient: shown.to }}>
              {shown.to}
            </PageLink>{' '}
            <MailMarks to={shown.to} test_mode={shown.test_mode} />
          </>
        )}
      </PageHeader>
      <ProblemAlert problem={mail.error} />
      <DetailLayout
        aside={shown ? <MailFacts mail={shown} content={content.data} /> : <Skeleton height={320} />}
      >
        <MailExplanation
          mail_id={mail_id}
          mail={shown}
          isRestricted={restriction !== undefined}
          onAsk={ask}
        />
        <MailTimeline mail_id={mail_id} />
        {can('panel_get_mail_content') && (
          <Section title={t.message} actions={content.data && <SaveMessage mail_id={mail_id} />}>
            <MailMessage mail_id={mail_id} content={content.data} problem={content.error} />
          </Section>
        )}
      </DetailLayout>
    </main>
  );
}

/** The message as it was sent, for a mail program or a tool. */
function SaveMessage({ mail_id }: { mail_id: string }) {
  const t = useMessages('mail');
  const { slug } = useApi();
  const save = async (): Promise<void> => {
    try {
      const response = await respond('panel_get_mail_source', { params: { mail_id } }, { slug });
      saveFile(`${mail_id}.eml`, await response.blob());
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={() => void save()}>
      {t.save_eml}
    </Button>
  );
}
