import { Accordion, Code, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';

/** Every event with an example of its body, to write a receiver from. */
export function EventCatalogue() {
  const t = useMessages('webhooks');
  const names: Record<string, { name: string; about: string } | undefined> = useMessages('webhook_events');
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_webhook_events', {}));
  const listed = data?.data.filter(({ type }) => names[type]);
  return (
    <Section title={t.catalogue}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.catalogue_about}
      </Text>
      {!listed && <Skeleton height={240} />}
      <Accordion variant="contained" radius="lg" order={3}>
        {listed?.map(({ type, example }) => (
          <Accordion.Item key={type} value={type}>
            <Accordion.Control>
              <Text span size="sm" fw={500}>
                {names[type]?.name}
              </Text>{' '}
              <Code>{type}</Code>
              <Text size="sm" c="dimmed">
                {names[type]?.about}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <CopyField block value={JSON.stringify(example, null, 2)} label={t.example_of(type)} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}
