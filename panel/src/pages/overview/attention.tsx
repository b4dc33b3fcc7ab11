import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Attention as Findings } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './overview.module.css';

interface Concern {
  id: string;
  text: string;
  link: ReactNode;
}

/** What somebody should look at, in words: problems of the last day, domains and webhooks. */
export function Attention() {
  const t = useMessages('overview');
  const api = useApi();
  const { data } = useQuery({ ...api.read('panel_get_attention', {}), refetchInterval: 60_000 });
  const say = useConcerns();
  const concerns = data && say(data);
  return (
    <Section title={t.attention}>
      {concerns === undefined && <Skeleton height={48} />}
      {concerns?.length === 0 && <Text c="dimmed">{t.all_well}</Text>}
      <ul className={styles['problems']}>
        {concerns?.map(({ id, text, link }) => (
          <li key={id}>
            <span>{text}</span>
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
  return ({ problems, domains, webhooks }) => [
    ...problems.map(({ kind, domain, reason, text, mail_id }) => ({
      id: `${kind} ${domain} ${reason}`,
      text,
      link:
        mail_id === null ? (
          <PageLink page="mails" search={{ status: statuses[kind] }}>
            {t.see_mails}
          </PageLink>
        ) : (
          <PageLink page="mail" id={mail_id}>
            {t.see_mail}
          </PageLink>
        ),
    })),
    ...domains.map(({ id, domain }) => ({
      id: `domain ${id}`,
      text: t.domain_failed(domain),
      link: (
        <PageLink page="domain" id={id}>
          {t.see_domain}
        </PageLink>
      ),
    })),
    ...webhooks.map(({ id, name, is_active, consecutive_failures }) => ({
      id: `webhook ${id}`,
      text: is_active ? t.webhook_fails(name, consecutive_failures) : t.webhook_paused(name),
      link: (
        <PageLink page="webhook" id={id}>
          {t.see_webhook}
        </PageLink>
      ),
    })),
  ];
}
