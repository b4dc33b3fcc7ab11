import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StatsOverview } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useApi } from '../../shell/use-api.ts';
import styles from './overview.module.css';
import { words } from './words.ts';

interface Concern {
  id: string;
  text: string;
  more?: string | null;
  link?: ReactNode;
}

/** Above these, receivers begin to refuse (Google's and Yahoo's rules for bulk senders). */
const worrying = { bounce: 0.05, complaint: 0.001 };
const enough_mails = 50;

/** What somebody should look at, in words. */
export function Attention({ stats }: { stats: StatsOverview | undefined }) {
  const t = useWords(words);
  const concerns = [...useRates(stats), ...useDestinations(), ...useDomains(), ...useWebhooks()];
  return (
    <Section title={t.attention}>
      {concerns.length === 0 ? (
        <Text c="dimmed">{t.all_well}</Text>
      ) : (
        <ul className={styles['problems']}>
          {concerns.map(({ id, text, more, link }) => (
            <li key={id}>
              <span>
                {text}
                {more && <small>{more}</small>}
              </span>
              {link}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function useRates(stats: StatsOverview | undefined): Concern[] {
  const t = useWords(words);
  const { percent } = useFormat();
  if (!stats || stats.totals.received < enough_mails) return [];
  const { bounce, complaint } = stats.rates;
  const link = (
    <PageLink page="mails" search={{ status: '6' }}>
      {t.see_bounced}
    </PageLink>
  );
  return [
    ...(bounce > worrying.bounce ? [{ id: 'bounce', text: t.bounce_rate(percent(bounce)), link }] : []),
    ...(complaint > worrying.complaint
      ? [{ id: 'complaint', text: t.complaint_rate(percent(complaint)) }]
      : []),
  ];
}

/** Destinations that keep mail waiting, with what their servers last said. */
function useDestinations(): Concern[] {
  const t = useWords(words);
  const api = useApi();
  const { number } = useFormat();
  const { data } = useQuery({ ...api.read('panel_get_queue', {}), refetchInterval: 30_000 });
  return (data?.destinations ?? [])
    .filter(({ last_error, is_paused }) => last_error !== null || is_paused)
    .slice(0, 5)
    .map(({ destination, mails, last_error, is_paused }) => ({
      id: `destination ${destination}`,
      text: is_paused ? t.paused(destination) : t.waiting(destination, number(mails)),
      more: last_error,
      link: (
        <PageLink page="mails" search={{ status: '5' }}>
          {t.see_mails}
        </PageLink>
      ),
    }));
}

function useDomains(): Concern[] {
  const t = useWords(words);
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_domains', { query: { is_verified: false, page_size: 5 } }));
  return (data?.data ?? [])
    .filter(({ is_sandbox, is_verified }) => !is_sandbox && !is_verified)
    .map(({ id, domain }) => ({
      id: `domain ${id}`,
      text: t.domain_failed(domain),
      link: (
        <PageLink page="domain" id={id}>
          {t.see_domain}
        </PageLink>
      ),
    }));
}

function useWebhooks(): Concern[] {
  const t = useWords(words);
  const { number } = useFormat();
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_webhooks', { query: {} }));
  return (data?.data ?? [])
    .filter(({ is_active, auto_paused_at, consecutive_failures }) =>
      is_active ? consecutive_failures > 2 : auto_paused_at !== null,
    )
    .slice(0, 5)
    .map(({ id, url, is_active, consecutive_failures }) => ({
      id: `webhook ${id}`,
      text: is_active ? t.webhook_fails(url, number(consecutive_failures)) : t.webhook_paused(url),
    }));
}
