import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../parts/detail.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { BothFactorsDialog } from './both-factors-dialog.tsx';
import { EnableTwoFactor } from './enable-two-factor.tsx';
import { useMe } from '../../parts/app/me.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';

/** A code of an authenticator app beside the password. */
export function TwoFactorSection() {
  const t = useMessages('account');
  const two_factor = useMe()?.two_factor;
  const [asking, setAsking] = useState<'enable' | 'disable' | 'renew'>();
  const [codes, setCodes] = useState<string[]>();
  const disable = useAccountChange('panel_disable_two_factor', () => toast(t.two_factor_off));
  const renew = useAccountChange('panel_replace_recovery_codes', ({ recovery_codes }) =>
    setCodes(recovery_codes),
  );
  const close = (): void => setAsking(undefined);
  return (
    <Section
      title={t.two_factor}
      actions={two_factor?.is_enabled && <StatusBadge tone="good">{t.on}</StatusBadge>}
    >
      {!two_factor && <Skeleton height={48} />}
      {two_factor && (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {two_factor.is_enabled ? t.codes_left(two_factor.recovery_codes_left) : t.two_factor_about}
          </Text>
          {two_factor.is_enabled ? (
            <Group gap="xs">
              <Button variant="default" onClick={() => setAsking('renew')}>
                {t.renew_codes}
              </Button>
              <Button variant="subtle" color="red" onClick={() => setAsking('disable')}>
                {t.turn_off}
              </Button>
            </Group>
          ) : (
            <Button onClick={() => setAsking('enable')}>{t.turn_on}</Button>
          )}
        </>
      )}
      <EnableTwoFactor opened={asking === 'enable'} onClose={close} onEnabled={setCodes} />
      <BothFactorsDialog
        title={t.renew_codes}
        about={t.renew_about}
        opened={asking === 'renew'}
        onClose={close}
        onSubmit={async (body) => await renew.mutateAsync({ body })}
      />
      <BothFactorsDialog
        title={t.turn_off}
        about={t.turn_off_about}
        opened={asking === 'disable'}
        onClose={close}
        onSubmit={async (body) => await disable.mutateAsync({ body })}
      />
      <SecretDialog
        title={t.recovery_codes}
        secrets={codes && [{ label: t.recovery_codes, value: codes.join('\n') }]}
        onStored={() => setCodes(undefined)}
      >
        <Text size="sm">{t.recovery_about}</Text>
      </SecretDialog>
    </Section>
  );
}
