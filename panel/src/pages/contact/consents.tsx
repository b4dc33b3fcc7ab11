import { Group, Text } from '@mantine/core';
import type { Contact } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useMay } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';

/** What the contact may be written to for, and the text on which that is based. */
export function Consents({ contact: { contact, consents } }: { contact: Contact }) {
  const t = useMessages('contact');
  const values = useMessages('consent_values');
  const may = useMay();
  return (
    <Section
      title={t.consents}
      flush={consents.length > 0}
      actions={
        may('panel_get_consent_evidence') && (
          <PageLink page="consent_evidence" search={{ contact }}>
            {t.evidence}
          </PageLink>
        )
      }
    >
      {consents.length === 0 ? (
        <Text size="sm">{t.no_consents}</Text>
      ) : (
        <DataList
          label={t.consents}
          rows={consents}
          idOf={({ purpose_id }) => purpose_id}
          columns={[
            {
              name: 'purpose',
              header: t.purpose,
              cell: ({ purpose_name, verdict }) => (
                <Group gap="xs">
                  {purpose_name}
                  <StatusBadge tone={verdict === 'allow' ? 'good' : 'bad'}>
                    {values.verdicts[verdict]}
                  </StatusBadge>
                </Group>
              ),
            },
            {
              name: 'text',
              header: t.text,
              min: 14,
              grow: 3,
              cell: ({ term_id, term_name, version, source }) => (
                <>
                  <PageLink page="consent_term" id={term_id}>
                    {t.under(term_name, version)}
                  </PageLink>
                  <Text size="xs" c="dimmed">
                    {values.sources[source]}
                  </Text>
                </>
              ),
              rank: 1,
            },
            {
              name: 'since',
              header: t.since,
              min: 10,
              align: 'end',
              cell: ({ decided_at }) => <Time at={decided_at} />,
              rank: 2,
            },
          ]}
        />
      )}
    </Section>
  );
}
