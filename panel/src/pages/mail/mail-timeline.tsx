import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MailLog } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import type { Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './mail.module.css';

const tones: Record<MailLog['event'], Tone> = {
  received: 'quiet',
  queued: 'quiet',
  sent: 'good',
  deferred: 'warn',
  bounced: 'bad',
  dropped: 'bad',
  held: 'warn',
  released: 'info',
  opened: 'info',
  clicked: 'info',
  unsubscribed: 'warn',
  resubscribed: 'good',
  complained: 'bad',
  replied: 'good',
};

/** Every step, in the order in which it happened, with what was said to and by the other server. */
export function MailTimeline({ mail_id }: { mail_id: string }) {
  const t = useMessages('mail');
  const api = useApi();
  const { number } = useFormat();
  const { data } = useQuery(
    api.read('panel_get_mail_logs', { params: { mail_id }, query: { page_size: 100 } }),
  );
  const lines = data?.data.toSorted((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
  return (
    <Section title={t.timeline}>
      {lines ? (
        <Timeline
          label={t.timeline}
          items={lines.map((line) => ({
            id: line.id,
            at: line.at,
            tone: line.reason === 'machine' ? 'quiet' : tones[line.event],
            title: [
              t.events[line.event],
              line.reason === 'machine' && t.machine,
              line.reason === 'auto_reply' && t.auto_reply,
              line.attempt !== null && line.attempt > 1 && t.attempt(number(line.attempt)),
            ]
              .filter(Boolean)
              .join(', '),
            children: <Step line={line} />,
          }))}
        />
      ) : (
        <Skeleton height={160} />
      )}
    </Section>
  );
}

function Step({ line }: { line: MailLog }) {
  const t = useMessages('mail');
  const { seconds } = useFormat();
  const {
    reason,
    detail,
    response,
    remote_host,
    remote_ip,
    local_ip,
    tls,
    duration_ms,
    next_attempt_at,
    received_mail_id,
  } = line;
  const words: Record<string, string | undefined> = useMessages('reasons');
  const isInTitle = reason === 'machine' || reason === 'auto_reply';
  const why = reason !== null && !isInTitle && (words[reason] ?? reason);
  return (
    <>
      {received_mail_id !== null && (
        <PageLink page="received" search={{ open: received_mail_id }} size="sm">
          {t.to_reply}
        </PageLink>
      )}
      {(why || detail) && <div>{[why, detail].filter(Boolean).join(': ')}</div>}
      {remote_host && (
        <div className={styles['way']}>
          <span>
            {remote_host} {remote_ip && `(${remote_ip})`}
          </span>
          <span>{tls ?? t.in_clear}</span>
          {local_ip && (
            <span>
              {t.from} {local_ip}
            </span>
          )}
          {duration_ms !== null && <span>{seconds(duration_ms / 1000)}</span>}
        </div>
      )}
      {response && <div className={styles['reply']}>{response}</div>}
      {response && /https?:\/\//i.test(response) && <div>{t.quoted_links}</div>}
      {next_attempt_at && (
        <div>
          {t.next}: <Time at={next_attempt_at} as="exact" />
        </div>
      )}
    </>
  );
}
