import { Button, Switch, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Domain, DomainInDns, LookedUpRecord } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { checkNames } from '../domains/domain-state.tsx';
import styles from './domain.module.css';
import { RecordRow } from './record-row.tsx';
import { shownRecords } from './use-look-up.ts';

interface DomainRecordsProps {
  domain: Domain;
  looked: DomainInDns | undefined;
  problem: unknown;
}

/** What DNS must say, whether it does, and what it says instead. */
export function DomainRecords({ domain, looked, problem }: DomainRecordsProps) {
  const t = useMessages('domain');
  const can = useCan();
  const [{ names }, changeUrl] = useUrlState();
  const validate = useChange('panel_validate_domain', {
    onDone: ({ is_verified }) => toast(is_verified ? t.validated : t.not_yet),
  });
  const isFull = names === 'full';
  const records = shownRecords(domain, looked);
  return (
    <Section
      title={t.records}
      actions={
        can('panel_validate_domain') && (
          <Button
            variant={looked?.all_found === false ? 'default' : 'filled'}
            leftSection={<IconRefresh size={16} />}
            loading={validate.isPending}
            onClick={() => validate.mutate({ params: { id: domain.id } })}
          >
            {t.validate}
          </Button>
        )
      }
    >
      <Standing domain={domain} looked={looked} />
      <ProblemAlert problem={validate.error ?? (looked ? undefined : problem)} />
      <div className={styles['records_head']}>
        <Text size="sm" c="dimmed" role="status">
          {looked && (
            <>
              {t.looked_up} <Time at={looked.looked_up_at} as="exact" />
            </>
          )}
          {!looked && !problem && t.looking}
        </Text>
        <Switch
          size="sm"
          label={t.full_names}
          checked={isFull}
          onChange={({ target }) =>
            changeUrl({ names: target.checked ? 'full' : undefined }, { replace: true })
          }
        />
      </div>
      <ul className={styles['checks']}>
        {checkNames.map((purpose) => (
          <li key={purpose}>
            <h3 className={styles['check']}>
              {t.checks[purpose].name} <span>{t.checks[purpose].about}</span>
            </h3>
            {records
              .filter((record) => record.purpose === purpose)
              .map((record) => (
                <RecordRow key={record.host} record={record} isFull={isFull} />
              ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Records that verification needs and DNS no longer has. */
const lostOf = (records: LookedUpRecord[]): number =>
  records.filter(({ purpose, status }) => purpose !== 'ownership' && status !== 'found').length;

/** What to do next, in one sentence. */
function Standing({ domain, looked }: Pick<DomainRecordsProps, 'domain' | 'looked'>) {
  const t = useMessages('domain');
  const isRevoked = domain.dkim_status === 'revoked';
  if (isRevoked) return null;
  if (looked?.all_found && !domain.is_verified)
    return <Notice title={t.all_found}>{t.all_found_about}</Notice>;
  if (looked?.all_found === false && domain.is_verified)
    return <Notice title={t.lost(lostOf(looked.records))}>{t.lost_about}</Notice>;
  if (domain.is_verified) return null;
  return (
    <Text size="sm" mb="sm">
      {t.records_about}
    </Text>
  );
}
