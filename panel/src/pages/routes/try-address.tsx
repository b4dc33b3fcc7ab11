import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Section } from '../../parts/detail.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useApi } from '../../parts/app/use-api.ts';

/** Shows what would happen to mail for an address, before anybody writes to it. */
export function TryAddress() {
  const t = useMessages('routes');
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [address, setAddress] = useState<string>();
  const { data, error } = useQuery({
    ...api.read('panel_try_inbound_address', { query: { address: address ?? '' } }),
    enabled: address !== undefined,
    placeholderData: undefined,
  });
  return (
    <Section title={t.try}>
      <Form
        onSubmit={(event) => {
          event?.preventDefault();
          setAddress(typed.trim() || undefined);
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t.address}
            description={t.try_help}
            type="email"
            inputMode="email"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            style={{ flex: '1 1 16rem', maxWidth: '28rem' }}
          />
          <Button type="submit" variant="default">
            {t.try_now}
          </Button>
        </Group>
      </Form>
      <div role="status">
        {error && <ProblemAlert problem={error} />}
        {data && (
          <Text mt="sm" component="div">
            <StatusBadge tone={data.outcome === 'route' && data.route?.action !== 'reject' ? 'good' : 'warn'}>
              {data.reply}
            </StatusBadge>{' '}
            {data.outcome === 'route' ? t.tried.route(data.route?.name ?? '') : t.tried[data.outcome]}
            {data.route && ` ${t.action_help[data.route.action]}`}
          </Text>
        )}
      </div>
    </Section>
  );
}
