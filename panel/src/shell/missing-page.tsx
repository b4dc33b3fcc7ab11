import { Button } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Message } from '../parts/message.tsx';
import { ProblemAlert } from '../parts/problem-alert.tsx';
import { useMessages } from '../messages/use-messages.ts';

export function MissingPage() {
  const t = useMessages('shell');
  return (
    <Message
      title={t.not_found}
      action={<Button renderRoot={(props) => <Link {...props} to="/" />}>{t.to_overview}</Button>}
    >
      {t.not_found_help}
    </Message>
  );
}

export function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useMessages('shell');
  return (
    <Message title={t.failed} action={<Button onClick={reset}>{t.again}</Button>}>
      <ProblemAlert problem={error} />
    </Message>
  );
}
