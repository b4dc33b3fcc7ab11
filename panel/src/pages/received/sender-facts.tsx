import { Text } from '@mantine/core';
import type { ReceivedMail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Facts, type Fact } from '../../parts/detail.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';

type Result = NonNullable<ReceivedMail['authentication']>['spf']['result'];

function toneOf(result: Result): Tone {
  if (result === 'pass') return 'good';
  return result === 'fail' || result === 'policy' ? 'bad' : result === 'none' ? 'quiet' : 'warn';
}

/** SPF, DKIM, DMARC and ARC with their domains, and the server that handed the mail over. */
export function SenderFacts({ mail }: { mail: ReceivedMail }) {
  const t = useMessages('received');
  const { authentication, mail_from, recipient, remote_ip, helo, tls, spam_score } = mail;
  const { spf, dkim = [], dmarc, arc } = authentication ?? {};
  const fact = (name: string, result: Result, about: (string | null | undefined)[]): Fact => ({
    name,
    value: (
      <>
        <StatusBadge tone={toneOf(result)}>{t.results[result]}</StatusBadge>{' '}
        {about.filter(Boolean).join(', ')}
      </>
    ),
  });
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t.facts_about}
      </Text>
      <Facts
        facts={[
          dmarc && fact('DMARC', dmarc.result, [dmarc.domain, dmarc.policy && t.policy(dmarc.policy)]),
          spf && fact('SPF', spf.result, [spf.domain]),
          ...dkim.map(({ result, domain, selector }, index) =>
            fact(dkim.length > 1 ? `DKIM ${index + 1}` : 'DKIM', result, [domain, selector]),
          ),
          arc && fact('ARC', arc.result, [arc.domain]),
          { name: t.envelope, value: `${mail_from ?? t.envelope_empty} → ${recipient}` },
          {
            name: t.server,
            value: [helo, remote_ip && `(${remote_ip})`, tls ?? t.not_encrypted].filter(Boolean).join(' '),
          },
          spam_score !== null && { name: t.spam_score, value: String(spam_score) },
        ]}
      />
    </>
  );
}
