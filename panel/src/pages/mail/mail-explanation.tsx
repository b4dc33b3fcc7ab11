import { List, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Explanation } from '../../api/operations.ts';
import { Coded } from '../../parts/coded.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './mail.module.css';

const tones: Record<Explanation['cause']['side'], Tone> = {
  none: 'good',
  sender: 'bad',
  platform: 'info',
  recipient_server: 'warn',
  recipient: 'quiet',
};

/** Why the mail did or did not arrive, whose matter it is, and what to do. */
export function MailExplanation({ mail_id, to }: { mail_id: string; to: string | null | undefined }) {
  const t = useMessages('mail');
  const can = useCan();
  const api = useApi();
  const { number } = useFormat();
  const { data } = useQuery(api.read('panel_explain_mail', { params: { mail_id } }));
  if (!data) return <Skeleton height={120} radius="lg" />;
  const { headline, summary, cause, advice, evidence, next_attempt_at, similar } = data;
  return (
    <Paper component="section" className={styles['why']} data-side={cause.side} aria-label={t.what_happened}>
      <div className={styles['headline']}>
        <Title order={2} size="h4">
          {headline}
        </Title>
        {cause.side !== 'none' && <StatusBadge tone={tones[cause.side]}>{t.sides[cause.side]}</StatusBadge>}
      </div>
      <Text>
        <Coded>{summary}</Coded>
      </Text>
      {next_attempt_at && (
        <Text size="sm" mt="xs">
          {t.next}: <Time at={next_attempt_at} as="exact" /> (<Time at={next_attempt_at} as="relative" />)
        </Text>
      )}
      {evidence.length > 0 && (
        <figure className={styles['quotes']}>
          <figcaption>{t.quoted}</figcaption>
          {evidence.map(({ at, text }) => (
            <blockquote key={`${at} ${text}`}>{text}</blockquote>
          ))}
          {evidence.some(({ text }) => /https?:\/\//i.test(text)) && (
            <Text size="xs" c="dimmed">
              {t.quoted_links}
            </Text>
          )}
        </figure>
      )}
      {advice.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="sm" mb={4}>
            {t.advice}
          </Text>
          <List size="sm" spacing={4}>
            {advice.map((each) => (
              <List.Item key={each}>
                <Coded>{each}</Coded>
              </List.Item>
            ))}
          </List>
        </>
      )}
      {to && cause.code.startsWith('consent_') && can('panel_get_consent_evidence') && (
        <PageLink page="consent_evidence" search={{ contact: to }} size="sm" underline="always">
          {t.consent_evidence}
        </PageLink>
      )}
      {similar.same_cause_24h > 1 && cause.side !== 'none' && (
        <Text size="sm" c="dimmed" mt="sm">
          {t.similar(number(similar.same_cause_24h), similar.destination)}
        </Text>
      )}
    </Paper>
  );
}
