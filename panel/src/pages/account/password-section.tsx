import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { begin } from '../../api/session.ts';
import { useMe } from '../../parts/app/me.ts';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Form } from '../../parts/form.tsx';
import { AccountName } from './account-name.tsx';

const empty = { current_password: '', new_password: '' };

export function PasswordSection() {
  const t = useMessages('account');
  const { form, problem, pointers, send } = useServiceForm(empty, async (body) => {
    begin(await call('panel_change_password', { body }));
    form.reset();
    toast(t.changed);
  });
  if (useMe()?.has_password === false) {
    return (
      <Section title={t.password}>
        <Text size="sm" c="dimmed" mb="md">
          {t.no_password}
        </Text>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/forgotten-password" />}>
          {t.choose_password}
        </Button>
      </Section>
    );
  }
  return (
    <Section title={t.password}>
      <Form onSubmit={send}>
        <AccountName />
        <Stack gap="md" maw={400}>
          <Text size="sm" c="dimmed">
            {t.password_about}
          </Text>
          <PasswordInput
            label={t.current}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t.fresh}
            description={t.fresh_help}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          <ProblemAlert problem={problem} shown={pointers} />
          <div>
            <Button type="submit" loading={form.submitting}>
              {t.change}
            </Button>
          </div>
        </Stack>
      </Form>
    </Section>
  );
}
