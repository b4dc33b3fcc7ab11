import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { PanelDomain } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { checkNames, stateOf, type CheckName, type CheckState } from '../domains/domain-state.tsx';
import styles from './domain.module.css';
import { recordsOf } from './records-of.ts';

const tones: Record<CheckState, Tone> = { verified: 'good', pending: 'quiet', failed: 'bad', revoked: 'bad' };

/** What the DNS must say, whether it does, and what it says instead. */
export function DomainRecords({ domain }: { domain: PanelDomain }) {
  const t = useMessages('domain');
  const can = useCan();
  const validate = useChange('panel_validate_domain', {
    onDone: ({ is_verified }) => toast(is_verified ? t.validated : t.not_yet),
  });
  return (
    <Section
      title={t.records}
      actions={
        can('panel_validate_domain') && (
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={validate.isPending}
            onClick={() => validate.mutate({ params: { id: domain.id } })}
          >
            {t.validate}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="md" role="status">
        {validate.isPending ? t.validating : t.records_about}
      </Text>
      <ProblemAlert problem={validate.error} />
      <ul className={styles['checks']}>
        {checkNames.map((name) => (
          <Check key={name} domain={domain} name={name} />
        ))}
      </ul>
    </Section>
  );
}

function Check({ domain, name }: { domain: PanelDomain; name: CheckName }) {
  const t = useMessages('domain');
  const state = stateOf(domain, name);
  const reason = domain.check_reasons[name];
  return (
    <li>
      <div className={styles['check']}>
        <div>
          <strong>{t.checks[name].name}</strong>{' '}
          <Text span size="sm" c="dimmed">
            {t.checks[name].about}
          </Text>
        </div>
        <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>
      </div>
      {state === 'failed' && reason && <p className={styles['reason']}>{reason}</p>}
      {recordsOf(domain, name).map(({ type, host, value, priority }) => (
        <dl key={host} className={styles['record']}>
          <div>
            <dt>{t.type}</dt>
            <dd>
              {type}
              {priority !== null && ` ${priority}`}
            </dd>
          </div>
          <div>
            <dt>{t.name}</dt>
            <dd>
              <CopyField value={host} />
            </dd>
          </div>
          <div>
            <dt>{t.value}</dt>
            <dd>
              <CopyField value={value} />
            </dd>
          </div>
        </dl>
      ))}
    </li>
  );
}
