import { Skeleton } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ConsentTerm } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Message } from '../../parts/message.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCatalogue } from '../consent/catalogue.ts';
import { TermState } from '../consent/term-state.tsx';
import { Dependents } from './dependents.tsx';
import { TermActions } from './term-actions.tsx';
import { Versions } from './versions.tsx';

/** One term: its versions, their texts, and what depends on it. */
export function Page() {
  const t = useMessages('consent_term');
  const api = useApi();
  const { id: text } = useParams({ strict: false });
  const id = Number(text);
  const { data, error } = useQuery(api.read('panel_get_consent_term', { params: { id } }));
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  const term = data?.id === id ? data : undefined;
  return (
    <main>
      <PageHeader
        title={term?.name ?? t.title}
        badge={term && <TermState term={term} />}
        back={<BackLink page="consent" />}
        actions={term && <TermActions term={term} />}
      />
      <ProblemAlert problem={error} />
      <DetailLayout aside={term ? <Aside term={term} /> : <Skeleton height={240} />}>
        {term?.is_active === false && (
          <Notice icon={<IconPlayerPause size={18} />} title={t.inactive_notice}>
            {t.inactive_about}
          </Notice>
        )}
        {term ? <Versions term={term} /> : <Skeleton height={320} />}
      </DetailLayout>
    </main>
  );
}

function Aside({ term }: { term: ConsentTerm }) {
  const t = useMessages('consent_term');
  const values = useMessages('consent_values');
  const { purposeName } = useCatalogue();
  return (
    <>
      <Section title={t.about}>
        <Facts
          facts={[
            { name: t.purposes, value: term.purpose_ids.map(purposeName).join(', ') },
            { name: t.channels, value: term.channels.map((each) => values.channels[each]).join(', ') },
            { name: t.type, value: values.types[term.type] },
            { name: t.id, value: <CopyField value={String(term.id)} label={t.copy_id} /> },
            { name: t.created, value: <Time at={term.created_at} /> },
            { name: t.changed, value: <Time at={term.updated_at} /> },
          ]}
        />
      </Section>
      <Dependents id={term.id} />
    </>
  );
}
