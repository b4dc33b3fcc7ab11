import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConsentEvidence } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import parts from '../../parts/parts.module.css';
import { Notice } from '../../parts/notice.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { ChainResult } from '../consent/chain-result.tsx';
import consent from '../consent/consent.module.css';
import { useChainCheck } from '../consent/use-chain-check.ts';
import { canVerify, verifyEvidence, type Verification } from './verify-evidence.ts';

/** What the service found, and the same found without trusting it. */
export function Integrity({ evidence }: { evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  const { chain } = evidence;
  const { isRunning, checked, result, problem, start } = useChainCheck();
  const [verification, setVerification] = useState<Verification & { at: string }>();
  const verify = async (): Promise<void> => {
    setVerification(undefined);
    const running = start();
    if (canVerify()) {
      setVerification({ ...(await verifyEvidence(evidence)), at: new Date().toISOString() });
    }
    await running;
  };
  const found = result ?? chain;
  const isPart = !chain.is_complete && chain.is_intact;
  return (
    <Stack gap="sm">
      {!result && <Text size="sm">{isPart ? t.partly(chain.checked) : t.checked}</Text>}
      {(result || !isPart) && <ChainResult check={found} />}
      {!isRunning && verification && <Verified verification={verification} />}
      {!isRunning && result && !canVerify() && <Notice>{t.unsupported}</Notice>}
      <div>
        <Text size="sm" c="dimmed">
          {t.end}
        </Text>
        <CopyField value={`${found.sequence}:${found.hash}`} label={t.end} />
      </div>
      <Group gap="sm" data-noprint>
        <Button leftSection={<IconShieldCheck size={16} />} loading={isRunning} onClick={() => void verify()}>
          {t.verify}
        </Button>
        {isRunning ? (
          <Text size="sm" role="status">
            {t.verifying(checked)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed" maw={520}>
            {t.verify_about}
          </Text>
        )}
      </Group>
      <ProblemAlert problem={problem} />
    </Stack>
  );
}

function Verified({
  verification: { rows, texts, wrong, at },
}: {
  verification: Verification & { at: string };
}) {
  const t = useMessages('consent_evidence');
  const { number } = useFormat();
  const isGood = wrong.length === 0;
  return (
    <Alert
      icon={isGood ? <IconShieldCheck size={18} /> : <IconShieldX size={18} />}
      className={isGood ? consent['good'] : parts['alarm']}
      role={isGood ? 'status' : 'alert'}
      p="sm"
    >
      <Text size="sm">{isGood ? t.verified(number(rows), number(texts)) : t.mismatch(wrong.join(', '))}</Text>
      <Text size="sm">
        {t.verified_at} <Time at={at} as="exact" />
      </Text>
    </Alert>
  );
}
