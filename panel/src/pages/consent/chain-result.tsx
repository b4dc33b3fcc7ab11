import { Alert, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { ConsentChainCheck } from '../../api/operations.ts';
import parts from '../../parts/parts.module.css';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import styles from './consent.module.css';

/** What a check of the chain found. */
export function ChainResult({
  check,
  isAnchored = false,
}: {
  check: ConsentChainCheck;
  isAnchored?: boolean;
}) {
  const t = useMessages('consent');
  const { problems } = useMessages('consent_values');
  const { number } = useFormat();
  const { first_break, sequence, checked } = check;
  if (!first_break) {
    return (
      <Alert icon={<IconShieldCheck size={18} />} className={styles['good']} p="sm" role="status">
        <Text size="sm">
          {t.all_intact(checked)} {isAnchored && t.anchored}
        </Text>
      </Alert>
    );
  }
  const { consent_event_id } = first_break;
  return (
    <Alert icon={<IconShieldX size={18} />} className={parts['alarm']} p="sm" role="alert">
      <Text size="sm" fw={600}>
        {t.all_broken(number(first_break.sequence), problems[first_break.problem])}
      </Text>
      <Text size="sm">{t.good_before(number(sequence))}</Text>
      {consent_event_id !== null && (
        <PageLink
          page="consent"
          search={{ list: 'events', open: String(consent_event_id) }}
          c="inherit"
          underline="always"
          size="sm"
        >
          {t.see_event(String(consent_event_id))}
        </PageLink>
      )}
    </Alert>
  );
}
