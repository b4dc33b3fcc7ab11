import { Skeleton, Stack } from '@mantine/core';
import { IconFileCertificate, IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ConsentEvidence } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Message } from '../../parts/message.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { FindPerson } from '../consent/find-person.tsx';
import { EvidenceActions } from './evidence-actions.tsx';
import styles from './evidence.module.css';
import { History } from './history.tsx';
import { Integrity } from './integrity.tsx';
import { Standing } from './standing.tsx';
import { Texts } from './texts.tsx';

/** Everything on record about one person, to read, to verify and to print. */
export function Page() {
  const t = useMessages('consent_evidence');
  const api = useApi();
  const isAllowed = useCan()('panel_get_consent_evidence');
  const [{ contact = '' }] = useUrlState();
  const { data, error } = useQuery({
    ...api.read('panel_get_consent_evidence', { query: { contact } }),
    enabled: isAllowed && contact !== '',
    // Each reading is audited: none without need. And nobody is shown under the name of another.
    placeholderData: undefined,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
  });
  if (!isAllowed) return <Message title={t.for_admins}>{t.for_admins_about}</Message>;
  if (contact === '') {
    return (
      <main>
        <PageHeader title={t.title} back={<BackLink page="consent" />} />
        <EmptyState icon={IconUserSearch} title={t.whose} action={<FindPerson />}>
          {t.whose_about}
        </EmptyState>
      </main>
    );
  }
  return (
    <main className={styles['evidence']}>
      <PageHeader
        title={contact}
        back={<BackLink page="consent" />}
        actions={<EvidenceActions contact={contact} evidence={data} />}
      >
        {data && (
          <>
            {t.title}. {t.made(data.instance.name)} <Time at={data.generated_at} as="exact" />.{' '}
            <span data-noprint>{t.audited}</span>
          </>
        )}
      </PageHeader>
      <ProblemAlert problem={error} />
      {!error && (data ? <Evidence evidence={data} /> : <Skeleton height={420} radius="lg" />)}
    </main>
  );
}

function Evidence({ evidence }: { evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  if (evidence.events.length === 0) {
    return (
      <EmptyState icon={IconFileCertificate} title={t.nothing}>
        {t.nothing_about}
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      <Section title={t.standing}>
        <Standing evidence={evidence} />
      </Section>
      <Section title={t.history}>
        {evidence.has_more && <Notice>{t.more_events}</Notice>}
        <History evidence={evidence} />
      </Section>
      <Section title={t.texts}>
        <Texts evidence={evidence} />
      </Section>
      <Section title={t.integrity}>
        <Integrity evidence={evidence} key={evidence.generated_at} />
      </Section>
    </Stack>
  );
}
