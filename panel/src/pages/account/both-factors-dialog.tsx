import { PasswordInput, Text, TextInput } from '@mantine/core';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { AccountName } from './account-name.tsx';

interface Proof {
  password: string;
  code: string;
  [name: string]: string;
}

/** For what a session alone is not enough for. */
export function BothFactorsDialog({
  title,
  about,
  opened,
  onClose,
  onSubmit,
}: {
  title: string;
  about: string;
  opened: boolean;
  onClose: () => void;
  onSubmit: (proof: Proof) => Promise<unknown>;
}) {
  const t = useMessages('account');
  const initial: Proof = { password: '', code: '' };
  return (
    <FormDialog
      title={title}
      opened={opened}
      onClose={onClose}
      initial={initial}
      submit={title}
      onSubmit={onSubmit}
    >
      {(form) => (
        <>
          <AccountName />
          <Text size="sm">{about}</Text>
          <PasswordInput
            label={t.current}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <TextInput
            label={t.code}
            description={t.code_or_recovery}
            autoComplete="one-time-code"
            {...form.getInputProps('code')}
          />
        </>
      )}
    </FormDialog>
  );
}
