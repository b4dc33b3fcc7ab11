import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Attention as Findings } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './overview.module.css';

type Severity = Findings['problems'][number]['severity'];

interface Concern {
  id: string;
  severity: Severity;
  text: string;
  link: ReactNode;
}

const order: Severity[] = ['high', 'medium', 'low'];
const tones = { high: 'bad', medium: 'warn', low: 'quiet' } as const;

/** What somebody should look at, in words: problems of the last day, deadlines, domains and webhooks. */
export function Attention() {
  const t = useMessages('overview');
  const api = useApi();
  const { data } = useQuery({ ...api.read('panel_get_attention', {}), refetchInterval: 60_000 });
  const say = useConcerns();
  const concerns =
    data && say(data).toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <Section title={t.attention}>
      {concerns === undefined && <Skeleton height={48} />}
      {concerns?.length === 0 && <Text c="dimmed">{t.all_well}</Text>}
      <ul className={styles['problems']}>
        {concerns?.map(({ id, severity, text, link }) => (
          <li key={id}>
            <span className={styles['concern']}>
              <StatusBadge tone={tones[severity]}>{t.severities[severity]}</StatusBadge>
              <span>{text}</span>
            </span>
            {link}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The status that the list of mails filters by. */
const statuses = { deferred: '5', bounced: '6', dropped: '4', held: '7' };

function useConcerns(): (findings: Findings) => Concern[] {
  const t = useMessages('overview');
  const { number } = useFormat();
  const can = useCan();
  return ({ problems, domains, webhooks, rights, plan }) => [
    ...problems.map(({ kind, reason, severity, text, mails, mail_id }) => ({
      id: `${kind} ${reason}`,
      severity,
      text,
      link:
        mails === 1 && mail_id !== null ? (
          <PageLink page="mail" id={mail_id}>
            {t.see_one}
          </PageLink>
        ) : (
          <PageLink
            page="mails"
            search={{ status: statuses[kind], range: kind === 'held' ? undefined : '7d' }}
          >
            {t.see_mails}
          </PageLink>
        ),
    })),
    ...(['overdue', 'due_soon'] as const)
      .filter((name) => rights[name] > 0)
      .map((name) => ({
        id: `rights ${name}`,
        severity: name === 'overdue' ? ('high' as const) : ('medium' as const),
        text: t.rights[name](rights[name]),
        link: can('panel_list_rights_requests') && (
          <PageLink page="rights" search={{ status: 'open' }}>
            {t.see_rights}
          </PageLink>
        ),
      })),
    ...(plan.limit !== null && plan.used >= plan.limit * 0.8
      ? [
          {
            id: 'plan',
            severity: plan.used >= plan.limit ? ('high' as const) : ('medium' as const),
            text: t.plan_used(number(plan.used), plan.limit),
            link: null,
          },
        ]
      : []),
    ...domains.map(({ id, domain, mx_status, spf_status, dkim_status, dmarc_status }) => ({
      id: `domain ${id}`,
      severity: [mx_status, spf_status, dkim_status, dmarc_status].every((each) => each === 'pending')
        ? ('low' as const)
        : ('high' as const),
      text: t.domain_failed(domain),
      link: (
        <PageLink page="domain" id={id}>
          {t.see_domain}
        </PageLink>
      ),
    })),
    ...webhooks.map(({ id, name, is_active, consecutive_failures }) => ({
      id: `webhook ${id}`,
      severity: is_active ? ('medium' as const) : ('high' as const),
      text: is_active ? t.webhook_fails(name, consecutive_failures) : t.webhook_paused(name),
      link: (
        <PageLink page="webhook" id={id}>
          {t.see_webhook}
        </PageLink>
      ),
    })),
  ];
}
