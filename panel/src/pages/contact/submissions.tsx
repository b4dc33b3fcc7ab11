import { Group, Stack, Text } from '@mantine/core';
import type { Contact } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { Section } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';

/** Where the answers come from. */
export function Submissions({ contact: { submissions } }: { contact: Contact }) {
  const t = useMessages('contact');
  return (
    <Section title={t.submissions}>
      {submissions.length === 0 && <Text size="sm">{t.no_submissions}</Text>}
      <Stack gap="xs">
        {submissions.map(({ id, form_id, form_name, contact_import_id, is_update, created_at }) => (
          <Group key={id} justify="space-between" gap="xs">
            {form_id === null ? (
              <span>
                {t.import} {contact_import_id}
              </span>
            ) : (
              <span>
                <PageLink page="form" id={form_id} search={{ tab: 'submissions', open: String(id) }}>
                  {form_name ?? `#${form_id}`}
                </PageLink>
                {is_update && ` · ${t.update}`}
              </span>
            )}
            <Text size="sm" c="dimmed" component="span">
              <Time at={created_at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
