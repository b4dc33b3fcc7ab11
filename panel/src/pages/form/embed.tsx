import { Button, Select, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import type { Form } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';

export const addressOf = ({ public_token }: Form): string => `${location.origin}/f/${public_token}`;

/** How a form gets to people: its address, and the code for a page of one's own. */
export function Embed({ form }: { form: Form }) {
  const t = useMessages('form');
  const { slug } = useInstance();
  const [scheme, setScheme] = useState<'auto' | 'light' | 'dark'>('auto');
  const url = addressOf(form);
  const attribute = scheme === 'auto' ? '' : ` data-color-scheme="${scheme}"`;
  const { origin } = location;
  return (
    <Stack gap="md" maw={960}>
      {!form.is_active && (
        <Notice icon={<IconLock size={18} />} title={t.is_closed}>
          {t.is_closed_help}
        </Notice>
      )}
      <Section
        title={t.link}
        actions={
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noopener"
            variant="default"
            size="xs"
            leftSection={<IconExternalLink size={14} />}
          >
            {t.open_page}
          </Button>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          {t.link_help}
        </Text>
        <CopyField value={url} label={t.copy_link} />
      </Section>
      <Section title={t.embed}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t.embed_help}
          </Text>
          <Select
            label={t.embed_scheme}
            maw={280}
            value={scheme}
            onChange={(chosen) => chosen && setScheme(chosen)}
            data={(['auto', 'light', 'dark'] as const).map((value) => ({
              value,
              label: t.embed_schemes[value],
            }))}
          />
          <CopyField
            block
            label={t.copy_code}
            value={`<script src="${url}/embed.js"${attribute} async></script>`}
          />
          <Text size="sm" c="dimmed">
            {t.csp_help}
          </Text>
          <CopyField block label={t.copy_policy} value={`script-src ${origin}; frame-src ${origin}`} />
        </Stack>
      </Section>
      <Section title={t.api}>
        <Text size="sm" c="dimmed" mb="sm">
          {t.api_help}
        </Text>
        <CopyField
          block
          label={t.copy_command}
          value={[
            `curl '${origin}/v1/forms/${form.id}/submissions/export?status=confirmed' \\`,
            `  -H 'X-Instance-Slug: ${slug}' -H "Authorization: Bearer $CHASQUI_API_KEY"`,
          ].join('\n')}
        />
      </Section>
    </Stack>
  );
}
