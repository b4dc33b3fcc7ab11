import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts, Section } from '../../parts/detail.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { frameworks, portOf } from './snippets.ts';

/** Settings to copy, with the reader's own names in them. */
export function Connect({ username }: { username: string | undefined }) {
  const t = useMessages('smtp_credentials');
  const { slug } = useApi();
  const [state, change] = useUrlState();
  const implicit_tls = state['security'] === 'tls';
  const host = location.hostname;
  const port = portOf(host, implicit_tls);
  const connection = {
    host,
    port,
    implicit_tls,
    username: username ?? t.your_username,
    sender: `test@${slug}.sandbox.test`,
  };
  return (
    <Section
      title={t.connect}
      actions={
        <SegmentedControl
          aria-label={t.security}
          value={implicit_tls ? 'tls' : 'starttls'}
          onChange={(chosen) => change({ security: chosen === 'tls' ? 'tls' : undefined }, { replace: true })}
          data={[
            { value: 'starttls', label: 'STARTTLS' },
            { value: 'tls', label: t.implicit },
          ]}
        />
      }
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t.connect_about}
        </Text>
        <Group gap="xl">
          <Facts facts={[{ name: t.host, value: <CopyField value={host} label={t.host} /> }]} />
          <Facts facts={[{ name: t.port, value: <CopyField value={String(port)} label={t.port} /> }]} />
        </Group>
        <UrlTabs
          name="framework"
          label={t.framework}
          tabs={frameworks.map(({ name, label, settings }) => ({
            name,
            label,
            content: () => <CopyField value={settings(connection)} label={label} block />,
          }))}
        />
        <Text size="xs" c="dimmed">
          {t.certificate}
        </Text>
      </Stack>
    </Section>
  );
}
