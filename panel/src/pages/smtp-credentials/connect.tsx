import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts, Section } from '../../parts/detail.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { frameworks } from './snippets.ts';

/** Settings to copy, with the reader's own names in them. */
export function Connect({ username }: { username: string | undefined }) {
  const t = useMessages('smtp_credentials');
  const api = useApi();
  const [state, change] = useUrlState();
  const implicit_tls = state['security'] === 'tls';
  const { data: settings } = useQuery({ ...api.read('panel_get_smtp_settings', {}), staleTime: Infinity });
  if (!settings) return <Skeleton height={320} radius="lg" />;
  const { host, starttls_port, tls_port } = settings;
  const port = implicit_tls ? tls_port : starttls_port;
  const connection = {
    host,
    port,
    implicit_tls,
    username: username ?? t.your_username,
    sender: `test@${api.slug}.sandbox.test`,
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
          tabs={frameworks.map(({ name, label, settings: settingsOf }) => ({
            name,
            label,
            content: () => <CopyField value={settingsOf(connection)} label={label} block />,
          }))}
        />
        <Text size="xs" c="dimmed">
          {t.certificate}
        </Text>
      </Stack>
    </Section>
  );
}
