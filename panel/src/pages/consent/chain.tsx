import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ChainResult } from './chain-result.tsx';
import { useChainCheck } from './use-chain-check.ts';
import { Form } from '../../parts/form.tsx';

/** Where the chain of the evidence stands, and the check of all of it. */
export function Chain() {
  const t = useMessages('consent');
  return (
    <DetailLayout aside={<ChainStatus />}>
      <Section title={t.chain_title}>
        <Stack gap="md">
          <Text maw={680}>{t.chain_about}</Text>
          <VerifyAll />
        </Stack>
      </Section>
    </DetailLayout>
  );
}

function VerifyAll() {
  const t = useMessages('consent');
  const [anchor, setAnchor] = useState('');
  const { isRunning, checked, result, problem, start, stop } = useChainCheck();
  return (
    <Form
      onSubmit={() => {
        void start(anchor.trim());
      }}
    >
      <Stack gap="md" align="stretch">
        <TextInput
          label={t.anchor}
          description={t.anchor_help}
          placeholder="1204:9f86d081884c7d65…"
          value={anchor}
          maxLength={100}
          maw={680}
          onChange={({ target }) => setAnchor(target.value)}
        />
        <Group gap="sm">
          <Button type="submit" leftSection={<IconShieldCheck size={16} />} loading={isRunning}>
            {t.verify_all}
          </Button>
          {isRunning && (
            <>
              <Text size="sm" role="status">
                {t.checking(checked)}
              </Text>
              <Button variant="default" size="xs" onClick={stop}>
                {t.stop}
              </Button>
            </>
          )}
        </Group>
        <ProblemAlert problem={problem} />
        {result && <ChainResult check={result} isAnchored={result.is_anchored} />}
      </Stack>
    </Form>
  );
}

function ChainStatus() {
  const t = useMessages('consent');
  const api = useApi();
  const { number } = useFormat();
  const { data, error } = useQuery(api.read('panel_get_consent_chain_status', {}));
  if (error) return <ProblemAlert problem={error} />;
  if (!data) return <Skeleton height={240} radius="lg" />;
  const { sequence, hash, last_recorded_at, recent } = data;
  return (
    <Section title={t.state}>
      <Facts
        facts={[
          { name: t.rows, value: number(sequence) },
          { name: t.last_at, value: <Time at={last_recorded_at} /> },
          {
            name: t.recent,
            value: (
              <Stack gap={4} align="flex-start">
                {recent.is_intact ? (
                  <StatusBadge tone="good">{t.intact}</StatusBadge>
                ) : (
                  <StatusBadge tone="bad">{t.broken}</StatusBadge>
                )}
                <Text size="sm">{t.recent_checked(recent.checked)}</Text>
              </Stack>
            ),
          },
          sequence > 0 && {
            name: t.end,
            value: (
              <Stack gap={4}>
                <CopyField value={`${sequence}:${hash}`} label={t.copy_end} />
                <Text size="sm" c="dimmed">
                  {t.end_help}
                </Text>
              </Stack>
            ),
          },
        ]}
      />
    </Section>
  );
}
