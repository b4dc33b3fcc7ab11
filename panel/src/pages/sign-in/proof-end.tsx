import { Anchor, Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMessages } from '../../messages/use-messages.ts';
import { ProblemAlert } from '../../parts/problem-alert.tsx';

/** The end of each form that signs in: a code where the account needs one, what went wrong, and the button. */
export function ProofEnd({
  code,
  problem,
  shown,
  isBusy,
}: {
  /** Properties of the input; undefined while no code is needed. */
  code: object | undefined;
  problem: unknown;
  /** Members whose mistakes stand at their inputs. */
  shown: string[];
  isBusy: boolean;
}) {
  const t = useMessages('sign_in');
  return (
    <>
      {code && (
        <TextInput
          label={t.code}
          description={t.code_help}
          autoComplete="one-time-code"
          autoFocus
          {...code}
        />
      )}
      <ProblemAlert problem={problem} shown={shown} />
      <Button type="submit" fullWidth loading={isBusy}>
        {t.submit}
      </Button>
      <Anchor size="sm" ta="center" renderRoot={(props) => <Link {...props} to="/forgotten-password" />}>
        {t.forgotten}
      </Anchor>
    </>
  );
}
