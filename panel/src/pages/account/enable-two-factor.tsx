import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TwoFactorSetup } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { QrImage } from './qr-image.tsx';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { AccountName } from './account-name.tsx';

/** First the password, then the secret for the app, then a code of it. */
export function EnableTwoFactor({
  opened,
  onClose,
  onEnabled,
}: {
  opened: boolean;
  onClose: () => void;
  onEnabled: (recovery_codes: string[]) => void;
}) {
  const t = useMessages('account');
  const [setup, setSetup] = useState<TwoFactorSetup>();
  const begin = useAccountChange('panel_begin_two_factor', setSetup);
  const confirm = useAccountChange('panel_confirm_two_factor', ({ recovery_codes }) =>
    onEnabled(recovery_codes),
  );
  return (
    <>
      <FormDialog
        title={t.turn_on}
        opened={opened}
        onClose={onClose}
        initial={{ password: '' }}
        submit={t.continue}
        onSubmit={async (body) => await begin.mutateAsync({ body })}
      >
        {(form) => (
          <>
            <AccountName />
            <PasswordInput
              label={t.current}
              autoComplete="current-password"
              data-autofocus
              {...form.getInputProps('password')}
            />
          </>
        )}
      </FormDialog>
      <FormDialog
        title={t.turn_on}
        opened={setup !== undefined}
        onClose={() => setSetup(undefined)}
        initial={{ code: '' }}
        submit={t.turn_on}
        onSubmit={async (body) => await confirm.mutateAsync({ body })}
      >
        {(form) =>
          setup && (
            <>
              <Text size="sm">{t.scan}</Text>
              <QrImage text={setup.otpauth_url} label={t.qr} />
              <div>
                <Text size="sm" mb={4}>
                  {t.by_hand}
                </Text>
                <CopyField value={setup.secret} label={t.secret} />
              </div>
              <TextInput
                label={t.code}
                description={t.code_help}
                inputMode="numeric"
                autoComplete="one-time-code"
                data-autofocus
                {...form.getInputProps('code')}
              />
            </>
          )
        }
      </FormDialog>
    </>
  );
}
