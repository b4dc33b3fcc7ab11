import { Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { CopyField } from '../../parts/copy-field.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { Edited } from './edited.ts';
import { variablesOf } from './sample-variables.ts';
import { Usage } from './usage.tsx';

/** How code sends it, with the reader's own slug, id and values. */
export function UseTab({ template, samples, names }: Pick<Edited, 'template' | 'samples' | 'names'>) {
  const t = useMessages('template');
  const { slug } = useApi();
  const { id, alias, is_published } = template;
  const given = variablesOf(samples, names);
  const variables = Object.keys(given).length === 0 ? {} : { template_variables: given };
  const body = {
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test', name: 'Ana Rojas' }],
    ...(alias === null ? { template_id: id } : { template_alias: alias }),
    ...variables,
    ...(is_published ? {} : { test_mode: true }),
  };
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  const command = [
    `curl ${location.origin}/v1/mails/send \\`,
    "  -H 'Authorization: Bearer YOUR_API_KEY' \\",
    `  -H 'X-Instance-Slug: ${slug}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${quoted}'`,
  ].join('\n');
  return (
    <DetailLayout
      aside={
        <Section title={t.about}>
          <Facts
            facts={[
              { name: t.id, value: <CopyField value={String(id)} label={t.copy_id} /> },
              alias !== null && { name: t.alias, value: <CopyField value={alias} label={t.copy_alias} /> },
              { name: t.written_in, value: t.editors[template.editor] },
              { name: t.published_at, value: <Time at={template.published_at} /> },
              { name: t.updated, value: <Time at={template.updated_at} /> },
              { name: t.created, value: <Time at={template.created_at} /> },
            ]}
          />
          <Usage id={id} />
        </Section>
      }
    >
      {!is_published && <Notice icon={<IconInfoCircle size={18} />}>{t.use_draft}</Notice>}
      <Section title={t.curl}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t.use_about}
          </Text>
          <CopyField block value={command} label={t.curl} />
        </Stack>
      </Section>
    </DetailLayout>
  );
}
