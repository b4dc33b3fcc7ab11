import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiProblem } from '../../api/problem.ts';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';

/** The token stands behind the #, where no server sees it. */
export function Page() {
  const t = useMessages('reset_password');
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const { form, problem, pointers, send } = useServiceForm({ new_password: '' }, async ({ new_password }) => {
    await call('panel_reset_password', { body: { token, new_password } });
    setDone(true);
  });
  if (isDone) {
    return (
      <Gate title={t.done}>
        <Text>{t.done_about}</Text>
        <Button renderRoot={(props) => <Link {...props} to="/sign-in" />}>{t.sign_in}</Button>
      </Gate>
    );
  }
  const isOver = problem instanceof ApiProblem && problem.code === 'password_reset_not_found';
  if (token === '' || isOver) {
    return (
      <Gate title={t.over}>
        <Text c="dimmed">{t.over_about}</Text>
        <Button renderRoot={(props) => <Link {...props} to="/forgotten-password" />}>{t.again}</Button>
      </Gate>
    );
  }
  return (
    <Gate title={t.title}>
      <Form onSubmit={send}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t.about}
          </Text>
          <PasswordInput
            label={t.password}
            description={t.password_help}
            autoComplete="new-password"
            autoFocus
            {...form.getInputProps('new_password')}
          />
          <ProblemAlert problem={problem} shown={pointers} />
          <Button type="submit" fullWidth loading={form.submitting}>
            {t.submit}
          </Button>
        </Stack>
      </Form>
    </Gate>
  );
}
