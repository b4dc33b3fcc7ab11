import { List, Text } from '@mantine/core';
import type { DomainInDns } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** Who keeps the DNS, and how a record is added there. */
export function DnsProvider({ looked }: { looked: DomainInDns }) {
  const t = useMessages('domain');
  const { provider, zone, name_servers } = looked;
  return (
    <Section title={provider === null ? t.dns_of(zone) : t.dns_at(t.providers[provider].name)}>
      {provider === null ? (
        <Text size="sm">{name_servers.length === 0 ? t.no_name_servers(zone) : t.unknown_provider}</Text>
      ) : (
        <List type="ordered" size="sm" spacing={6}>
          {Object.values(t.providers[provider].steps).map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
      )}
      {name_servers.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {t.name_servers} {name_servers.join(', ')}
        </Text>
      )}
    </Section>
  );
}
