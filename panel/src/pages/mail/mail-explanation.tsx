import { Button, Group, List, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Explanation, MailRecord } from '../../api/operations.ts';
import type { OperationId } from '../../api/request.ts';
import { Coded } from '../../parts/coded.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { advisedOf, type Ask } from './advised.ts';
import styles from './mail.module.css';

const tones: Record<Explanation['cause']['side'], Tone> = {
  none: 'good',
  sender: 'bad',
  platform: 'info',
  recipient_server: 'warn',
  recipient: 'quiet',
};

/** What each takes: without it the button is not there. */
const operations = {
  lift: 'panel_delete_restriction',
  retry: 'panel_retry_mail',
  resend: 'panel_resend_mail',
  restrict: 'panel_create_restriction',
  cancel: 'panel_cancel_message',
} as const satisfies Record<Ask, OperationId>;

/** Why the mail did or did not arrive, whose matter it is, and what to do. */
export function MailExplanation({
  mail_id,
  mail,
  isRestricted,
  onAsk,
}: {
  mail_id: string;
  mail: Pick<MailRecord, 'to' | 'status'> | undefined;
  isRestricted: boolean;
  onAsk: (ask: Ask) => void;
}) {
  const t = useMessages('mail');
  const can = useCan();
  const api = useApi();
  const { data } = useQuery(api.read('panel_explain_mail', { params: { mail_id } }));
  if (!data) return <Skeleton height={120} radius="lg" />;
  const { headline, summary, cause, advice, evidence } = data;
  const to = mail?.to;
  const asks = advisedOf({ ...cause, status: mail?.status ?? null, isRestricted }).filter((ask) =>
    can(operations[ask]),
  );
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
      {/* Lines of the log stand in the timeline below. */}
      {evidence
        .filter(({ kind }) => kind === 'record')
        .map(({ at, text }) => (
          <Text key={text} size="sm" c="dimmed" mt={4}>
            <Time at={at} as="exact" /> · {text}
          </Text>
        ))}
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
      {asks.length > 0 && (
        <Group gap="xs" mt="md">
          {asks.map((ask, index) => (
            <Button
              key={ask}
              size="xs"
              variant={index === 0 ? 'filled' : 'default'}
              onClick={() => onAsk(ask)}
            >
              {t[ask]}
            </Button>
          ))}
        </Group>
      )}
    </Paper>
  );
}
