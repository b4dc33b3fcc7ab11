import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { panelHeader } from '../../api/session.ts';
import { keepBack } from '../../parts/app/back.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { inWords } from './in-words.ts';
import { useSignInMethods } from './use-sign-in-methods.ts';

/** The provider that the operator named, if there is one. */
export function ProviderButton() {
  const t = useMessages('sign_in');
  const [{ back }] = useUrlState();
  const methods = useSignInMethods();
  const leave = useMutation({
    mutationFn: async () => {
      const { url } = await call('panel_begin_single_sign_on', {}, { headers: panelHeader });
      keepBack(back);
      location.assign(url);
      // The page goes; until then the button says so.
      await new Promise(() => undefined);
    },
  });
  if (!methods?.single_sign_on) return null;
  return (
    <>
      <ProblemAlert problem={leave.error && inWords(leave.error, t)} />
      <Button variant="default" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
        {t.by(methods.single_sign_on.name)}
      </Button>
    </>
  );
}
