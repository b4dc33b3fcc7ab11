import { Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiProblem } from '../../api/problem.ts';
import { begin } from '../../api/session.ts';
import { Gate } from '../../parts/gate.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';
import { inWords } from './in-words.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProofEnd } from './proof-end.tsx';
import { ProviderButton } from './provider-button.tsx';
import { useSignInMethods } from './use-sign-in-methods.ts';

const blank = { email: '', password: '', code: '' };

/** In place of the password, or of the code beside it. */
function OtherWays({ asksCode, login }: { asksCode: boolean; login: typeof blank }) {
  const t = useMessages('sign_in');
  const methods = useSignInMethods();
  if (!methods || !(methods.passkeys || methods.single_sign_on)) return null;
  const { email, password } = login;
  return (
    <>
      <Divider label={t.or} />
      <PasskeyButton
        label={asksCode ? t.passkey_instead : t.by_passkey}
        onAnswer={async (answer) => {
          if (asksCode) begin(await call('panel_sign_in', { body: { email, password, passkey: answer } }));
          else begin(await call('panel_sign_in_with_passkey', { body: answer }));
        }}
      />
      {!asksCode && <ProviderButton />}
    </>
  );
}

export function Page() {
  const t = useMessages('sign_in');
  const [asksCode, setAsksCode] = useState(false);
  const { form, problem, pointers, send } = useServiceForm(blank, async ({ code, ...login }) => {
    try {
      begin(await call('panel_sign_in', { body: asksCode ? { ...login, code } : login }));
    } catch (error) {
      // The password was right; the code is asked for beside it.
      if (error instanceof ApiProblem && error.code === 'second_factor_required') return setAsksCode(true);
      throw inWords(error, t, asksCode ? t.wrong_with_code : t.wrong);
    }
  });
  return (
    <Gate title={t.title} below={asksCode ? t.lost_app : t.first}>
      <Form onSubmit={send}>
        <Stack gap="md">
          <TextInput
            label={t.email}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t.password}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <ProofEnd
            code={asksCode ? form.getInputProps('code') : undefined}
            problem={problem}
            shown={pointers}
            isBusy={form.submitting}
          />
        </Stack>
      </Form>
      <OtherWays asksCode={asksCode} login={form.values} />
    </Gate>
  );
}
