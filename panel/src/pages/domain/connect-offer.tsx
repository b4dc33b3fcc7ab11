import { Button, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCan } from '../../parts/app/instance.tsx';

/** The provider publishes what is missing (Domain Connect). Shows nothing where it cannot. */
export function ConnectOffer({ id }: { id: number }) {
  const t = useMessages('domain');
  const api = useApi();
  const mayPublish = useCan()('panel_validate_domain');
  const { data } = useQuery({
    ...api.read('panel_get_domain_connection', { params: { id } }),
    enabled: mayPublish,
    retry: false,
  });
  if (!mayPublish || !data?.apply_url || data.provider_name === null) return null;
  const names = data.records.map((purpose) => t.checks[purpose].name).join(', ');
  return (
    <Section title={t.connect(data.provider_name)}>
      <Text size="sm" mb="sm">
        {t.connect_about(names, new URL(data.apply_url).host)}
      </Text>
      <Button component="a" href={data.apply_url} rightSection={<IconExternalLink size={16} />}>
        {t.connect_go(data.provider_name)}
      </Button>
    </Section>
  );
}
