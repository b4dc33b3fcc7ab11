import { Accordion, Text } from '@mantine/core';
import type { DomainInDns, Domain } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { route53Batch, zoneLine } from './records-of.ts';
import { shownRecords } from './use-look-up.ts';

/** The records as files of common DNS hosts; Cloudflare imports zone files as they are. */
export function ZoneSnippets({ domain, looked }: { domain: Domain; looked: DomainInDns | undefined }) {
  const t = useMessages('domain');
  const records = shownRecords(domain, looked).map(({ suggested_value, value, ...record }) => ({
    ...record,
    value: suggested_value ?? value,
  }));
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
