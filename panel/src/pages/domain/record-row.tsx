import { Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './domain.module.css';
import type { ShownRecord } from './use-look-up.ts';

const tones: Record<ShownRecord['status'], Tone> = {
  found: 'good',
  not_found: 'quiet',
  wrong_value: 'bad',
  unreadable: 'warn',
  pending: 'quiet',
};

/** One record as the forms of DNS providers ask for it. */
export function RecordRow({ record, isFull }: { record: ShownRecord; isFull: boolean }) {
  const t = useMessages('domain');
  const { type, priority, host, name = host, value, suggested_value, status } = record;
  return (
    <div className={styles['record']}>
      <dl>
        <div>
          <dt>{t.type}</dt>
          <dd>
            {type}
            {priority !== null && (
              <Text span size="xs" c="dimmed">
                {` ${t.priority} ${priority}`}
              </Text>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.name}</dt>
          <dd>
            <CopyField value={isFull ? host : name} label={t.copy_name(type)} />
          </dd>
        </div>
        <div>
          <dt>{suggested_value === null ? t.value : t.suggested_value}</dt>
          <dd>
            <CopyField value={suggested_value ?? value} label={t.copy_value(type)} />
          </dd>
        </div>
        <div>
          <dt className={styles['hidden']}>{t.state}</dt>
          <dd>
            <StatusBadge tone={tones[status]}>{t.statuses[status]}</StatusBadge>
          </dd>
        </div>
      </dl>
      <Diagnosis record={record} />
    </div>
  );
}

/** What is wrong, what is there instead, and what to do. */
function Diagnosis({ record }: { record: ShownRecord }) {
  const t = useMessages('domain');
  const { status, problem, reason, found, found_at, name = record.host } = record;
  if (found_at !== null) return <p className={styles['reason']}>{t.doubled(found_at, name)}</p>;
  if (status === 'pending' && reason) return <p className={styles['reason']}>{reason}</p>;
  if (problem === null || status === 'not_found') return null;
  return (
    <div className={styles['reason']} data-status={status}>
      {t.problems[problem]}
      {found.length > 0 && (
        <>
          {' '}
          {t.found}
          <ul>
            {found.map((each) => (
              <li key={each}>
                <code>{each}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
