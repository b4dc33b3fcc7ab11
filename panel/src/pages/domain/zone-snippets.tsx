import { Accordion, Text } from '@mantine/core';
import type { PanelDomain } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { checkNames } from '../domains/domain-state.tsx';
import { recordsOf, route53Batch, zoneLine } from './records-of.ts';

/** The records as files of common DNS hosts; Cloudflare imports zone files as they are. */
export function ZoneSnippets({ domain }: { domain: PanelDomain }) {
  const t = useMessages('domain');
  const records = checkNames.flatMap((name) => recordsOf(domain, name));
  const zone = records.map(zoneLine).join('\n');
  return (
    <Accordion variant="contained" radius="lg">
      <Accordion.Item value="snippets">
        <Accordion.Control>{t.snippets}</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" c="dimmed" mb="sm">
            {t.snippet_about}
          </Text>
          <UrlTabs
            name="snippet"
            label={t.snippets}
            tabs={[
              { name: 'bind', label: t.bind, content: () => <CopyField block value={zone} label={t.bind} /> },
              {
                name: 'cloudflare',
                label: t.cloudflare,
                content: () => (
                  <CopyField block value={`$ORIGIN ${domain.domain}.\n${zone}`} label={t.cloudflare} />
                ),
              },
              {
                name: 'route53',
                label: t.route53,
                content: () => <CopyField block value={route53Batch(records)} label={t.route53} />,
              },
            ]}
          />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
