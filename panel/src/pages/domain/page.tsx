import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../parts/back-link.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { DomainState } from '../domains/domain-state.tsx';
import { AnySender } from './any-sender.tsx';
import { DmarcReports } from './dmarc-reports.tsx';
import { DomainActions } from './domain-actions.tsx';
import { PostmasterMail } from './postmaster-mail.tsx';
import { RecordsInDns } from './records-in-dns.tsx';

export function Page() {
  const t = useMessages('domain');
  const api = useApi();
  const { number } = useFormat();
  const { id: named } = useParams({ strict: false }) as { id: string };
  const id = Number(named);
  const { data: domain, error } = useQuery(api.read('panel_get_domain', { params: { id } }));
  const senders = useQuery(api.read('panel_list_senders', { query: { domain_id: id, page_size: 1 } }));
  const count = senders.data?.pagination.total_items ?? 0;
  if (!domain) {
    return (
      <main>
        <BackLink page="domains" />
        {error ? <ProblemAlert problem={error} /> : <Skeleton height={480} />}
      </main>
    );
  }
  return (
    <main>
      <PageHeader
        title={domain.domain}
        badge={<DomainState domain={domain} />}
        back={<BackLink page="domains" />}
        actions={<DomainActions domain={domain} senders={count} />}
      />
      {domain.is_revoked_by_operator && (
        <Alert color="red" mb="md">
          {t.by_operator}
        </Alert>
      )}
      <DetailLayout
        aside={
          <Section title={t.facts}>
            <Facts
              facts={[
                { name: t.senders, value: <PageLink page="senders">{number(count)}</PageLink> },
                { name: t.added, value: <Time at={domain.created_at} /> },
                {
                  name: t.checked,
                  value: domain.last_verification_at ? (
                    <Time at={domain.last_verification_at} as="relative" />
                  ) : (
                    t.never
                  ),
                },
                domain.signing_selector !== null && { name: t.selector, value: domain.signing_selector },
              ]}
            />
          </Section>
        }
      >
        {domain.is_sandbox ? (
          <Section>{t.sandbox_about}</Section>
        ) : (
          <>
            <RecordsInDns domain={domain} />
            <AnySender domain={domain} />
            <DmarcReports id={id} />
            <PostmasterMail domain={domain.domain} />
          </>
        )}
      </DetailLayout>
    </main>
  );
}
