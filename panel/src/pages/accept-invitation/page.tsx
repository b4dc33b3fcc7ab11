import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { OpenInvitation } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { begin } from '../../api/session.ts';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';

/** The token stands behind the #, where no server sees it. */
export function Page() {
  const t = useMessages('accept_invitation');
  const [token] = useState(() => location.hash.slice(1));
  const { data, error } = useQuery({
    ...readOf('panel_look_at_invitation', { body: { token } }),
    enabled: token !== '',
    staleTime: Infinity,
  });
  const toSignIn = <Button renderRoot={(props) => <Link {...props} to="/sign-in" />}>{t.sign_in}</Button>;
  if (token === '' || error?.code === 'invitation_not_found') {
    return (
      <Gate title={token === '' ? t.missing : t.over}>
        <Text c="dimmed">{token === '' ? t.missing_help : t.over_help}</Text>
        {toSignIn}
      </Gate>
    );
  }
  return (
    <Gate title={t.title}>
      <ProblemAlert problem={error} />
      {data ? (
        <Acceptance invitation={data} token={token} toSignIn={toSignIn} />
      ) : (
        !error && <Skeleton height={160} />
      )}
    </Gate>
  );
}

function Acceptance({
  invitation: { email, role, instance, has_account },
  token,
  toSignIn,
}: {
  invitation: OpenInvitation;
  token: string;
  toSignIn: React.ReactNode;
}) {
  const t = useMessages('accept_invitation');
  const [isDone, setDone] = useState(false);
  const { form, problem, pointers, send } = useServiceForm(
    { name: '', password: '' },
    async ({ name, password }) => {
      await call('panel_accept_invitation', { body: has_account ? { token } : { token, name, password } });
      // A person who just chose a password need not type it again.
      if (!has_account) begin(await call('panel_sign_in', { body: { email, password } }));
      setDone(true);
    },
  );
  if (isDone && has_account) {
    return (
      <>
        <Text>{t.done}</Text>
        {toSignIn}
      </>
    );
  }
  if (isDone)
    return (
      <Button renderRoot={(props) => <Link {...props} to={`/i/${instance.slug}`} />}>{instance.name}</Button>
    );
  return (
    <Form onSubmit={send}>
      <Stack gap="md">
        <Text>{t.invited(instance.name, t.roles[role])}</Text>
        <TextInput label={t.account} value={email} readOnly autoComplete="username" />
        {has_account ? (
          <Text size="sm" c="dimmed">
            {t.has_account}
          </Text>
        ) : (
          <>
            <TextInput label={t.name} autoComplete="name" {...form.getInputProps('name')} />
            <PasswordInput
              label={t.password}
              description={t.password_help}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
          </>
        )}
        <ProblemAlert problem={problem} shown={pointers} />
        <Button type="submit" fullWidth loading={form.submitting}>
          {t.accept}
        </Button>
      </Stack>
    </Form>
  );
}
