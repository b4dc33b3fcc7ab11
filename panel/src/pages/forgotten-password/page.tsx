import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Gate } from '../../parts/gate.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';

/** The answer is the same whether or not the address has an account. */
export function Page() {
  const t = useMessages('forgotten_password');
  const [sentTo, setSentTo] = useState<string>();
  const { form, problem, pointers, send } = useServiceForm({ email: '' }, async (body) => {
    await call('panel_forgotten_password', { body });
    setSentTo(body.email);
  });
  const back = (
    <Anchor size="sm" ta="center" renderRoot={(props) => <Link {...props} to="/sign-in" />}>
      {t.sign_in}
    </Anchor>
  );
  if (sentTo !== undefined) {
    return (
      <Gate title={t.sent}>
        <Text>{t.sent_about(sentTo)}</Text>
        {back}
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
          <TextInput
            label={t.email}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <ProblemAlert problem={problem} shown={pointers} />
          <Button type="submit" fullWidth loading={form.submitting}>
            {t.submit}
          </Button>
          {back}
        </Stack>
      </Form>
    </Gate>
  );
}
