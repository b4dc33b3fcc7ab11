import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { SingleSignOnResult } from '../../api/operations.ts';
import { ApiProblem } from '../../api/problem.ts';
import { begin, panelHeader } from '../../api/session.ts';
import { takeBack } from '../../parts/app/back.ts';
import { Form } from '../../parts/form.tsx';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { inWords } from '../sign-in/in-words.ts';
import { PasskeyButton } from '../sign-in/passkey-button.tsx';
import { ProofEnd } from '../sign-in/proof-end.tsx';

const headers = panelHeader;

/** Where the provider sends the browser back to. What it added to the address is taken once and leaves the history. */
export function Page() {
  const t = useMessages('sign_in');
  const [query] = useState(() => location.search.slice(1));
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ['single-sign-on', query],
    queryFn: async () => {
      history.replaceState(history.state, '', location.pathname);
      return await call('panel_finish_single_sign_on', { body: { query } }, { headers });
    },
    enabled: query !== '',
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const enter = (session: NonNullable<SingleSignOnResult['session']>): void => {
    begin(session);
    // The page that signs in leads those who are signed in to where they came from.
    void navigate({ to: '/sign-in', search: { back: takeBack() }, replace: true });
  };
  const session = data?.session;
  useEffect(() => {
    if (session) enter(session);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [session]);
  const failed =
    query === ''
      ? new ApiProblem({ code: 'single_sign_on_failed', detail: t.refusals.single_sign_on_failed })
      : error;
  if (data && data.next !== 'signed_in') return <Proof {...data} onDone={enter} />;
  return (
    <Gate title={failed ? t.not_signed_in : t.title}>
      {failed ? (
        <>
          <ProblemAlert problem={inWords(failed, t)} />
          <Button renderRoot={(props) => <Link {...props} to="/sign-in" />}>{t.back_to_sign_in}</Button>
        </>
      ) : (
        <Skeleton height={96} aria-label={t.title} />
      )}
    </Gate>
  );
}

/** What the account asks for beside the word of the provider. */
function Proof({
  next,
  email,
  onDone,
}: SingleSignOnResult & { onDone: (session: NonNullable<SingleSignOnResult['session']>) => void }) {
  const t = useMessages('sign_in');
  const asksPassword = next === 'password';
  const [asksCode, setAsksCode] = useState(!asksPassword);
  const { form, problem, pointers, send } = useServiceForm(
    { password: '', code: '' },
    async ({ password, code }) => {
      const body = { ...(asksPassword ? { password } : {}), ...(asksCode ? { code } : {}) };
      try {
        const { session } = await call('panel_complete_single_sign_on', { body }, { headers });
        if (session) onDone(session);
      } catch (error) {
        if (error instanceof ApiProblem && error.code === 'second_factor_required') return setAsksCode(true);
        throw inWords(error, t, asksCode ? t.wrong_code : t.wrong_password);
      }
    },
  );
  return (
    <Gate title={asksPassword ? t.link_title : t.title} below={asksCode ? t.lost_app : undefined}>
      <Form onSubmit={send}>
        <Stack gap="md">
          {asksPassword && <Text size="sm">{t.link_about}</Text>}
          {email && <TextInput label={t.email} value={email} readOnly autoComplete="username" />}
          {asksPassword && (
            <PasswordInput
              label={t.password}
              autoComplete="current-password"
              autoFocus
              {...form.getInputProps('password')}
            />
          )}
          <ProofEnd
            code={asksCode ? form.getInputProps('code') : undefined}
            problem={problem}
            shown={pointers}
            isBusy={form.submitting}
          />
        </Stack>
      </Form>
      {asksCode && (
        <PasskeyButton
          label={t.passkey_instead}
          onAnswer={async (passkey) => {
            const { password } = form.values;
            const body = { ...(asksPassword ? { password } : {}), passkey };
            const { session } = await call('panel_complete_single_sign_on', { body }, { headers });
            if (session) onDone(session);
          }}
        />
      )}
    </Gate>
  );
}
