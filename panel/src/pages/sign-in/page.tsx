import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { call } from '../../api/call.ts';
import { ApiProblem } from '../../api/problem.ts';
import { begin } from '../../api/session.ts';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

export function Page() {
  const t = useWords(words);
  const { form, problem, pointers, send } = useServiceForm({ email: '', password: '' }, async (body) => {
    try {
      begin(await call('panel_sign_in', { body }));
    } catch (error) {
      throw inWords(error, t);
    }
  });
  return (
    <Gate title={t.title} below={t.first}>
      <form onSubmit={send} noValidate>
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
          <ProblemAlert problem={problem} shown={pointers} />
          <Button type="submit" fullWidth loading={form.submitting}>
            {t.submit}
          </Button>
        </Stack>
      </form>
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
