import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/read.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './account.module.css';

/** The providers by which one can sign in, where there are any. */
export function IdentitiesSection() {
  const t = useMessages('account');
  const { data } = useQuery(readOf('panel_list_identities', {}));
  const unlink = useAccountChange('panel_unlink_identity', () => toast(t.unlinked));
  const identities = data?.data ?? [];
  if (identities.length === 0) return null;
  return (
    <Section title={t.identities}>
      <ProblemAlert problem={unlink.error} />
      <ul className={styles['sessions']} aria-label={t.identities}>
        {identities.map(({ id, issuer, email, last_used_at }) => (
          <li key={id}>
            <div>
              <Text fw={500}>{new URL(issuer).host}</Text>
              <Text size="sm" c="dimmed">
                {email} · <Time at={last_used_at} />
              </Text>
            </div>
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              onClick={() => unlink.mutate({ params: { id } })}
            >
              {t.unlink}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
