import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiProblem } from '../../api/problem.ts';
import { begin } from '../../api/session.ts';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';

const blank = { email: '', password: '', code: '' };

export function Page() {
  const t = useMessages('sign_in');
  const [asksCode, setAsksCode] = useState(false);
  const { form, problem, pointers, send } = useServiceForm(blank, async ({ code, ...login }) => {
    try {
      begin(await call('panel_sign_in', { body: asksCode ? { ...login, code } : login }));
    } catch (error) {
      // The password was right; the code is asked for beside it.
      if (error instanceof ApiProblem && error.code === 'second_factor_required') return setAsksCode(true);
      throw inWords(error, asksCode ? { ...t, wrong: t.wrong_with_code } : t);
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
          {asksCode && (
            <TextInput
              label={t.code}
              description={t.code_help}
              autoComplete="one-time-code"
              autoFocus
              {...form.getInputProps('code')}
            />
          )}
          <ProblemAlert problem={problem} shown={pointers} />
          <Button type="submit" fullWidth loading={form.submitting}>
            {t.submit}
          </Button>
          <Anchor size="sm" ta="center" renderRoot={(props) => <Link {...props} to="/forgotten-password" />}>
            {t.forgotten}
          </Anchor>
        </Stack>
      </Form>
    </Gate>
  );
}

/** A refused sign-in is no broken session; its words are about what was typed. */
function inWords(error: unknown, t: { wrong: string; wait: (seconds: number) => string }): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const { status, code, retry_after_seconds = 1 } = error;
  if (status === 401) return new ApiProblem({ status, code, detail: t.wrong });
  if (status === 429) return new ApiProblem({ status, code, detail: t.wait(retry_after_seconds) });
  return error;
}
