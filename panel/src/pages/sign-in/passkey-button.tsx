import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { PasskeyAssertion } from '../../api/operations.ts';
import { askForPasskey, hasPasskeys, PasskeyCancelled } from '../../parts/app/passkey.ts';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { inWords } from './in-words.ts';
import { useSignInMethods } from './use-sign-in-methods.ts';

/** Asks the browser for a passkey, where there can be one. */
export function PasskeyButton({
  label,
  onAnswer,
}: {
  label: string;
  onAnswer: (answer: PasskeyAssertion) => Promise<void>;
}) {
  const t = useMessages('sign_in');
  const methods = useSignInMethods();
  const ask = useMutation({ mutationFn: async () => await onAnswer(await askForPasskey()) });
  if (!methods?.passkeys || !hasPasskeys()) return null;
  const error = ask.error instanceof PasskeyCancelled ? null : ask.error;
  return (
    <>
      <ProblemAlert problem={error && inWords(error, t, t.wrong_passkey)} />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconKey size={18} aria-hidden />}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {label}
      </Button>
    </>
  );
}
