import { Button } from '@mantine/core';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useMessages } from '../messages/use-messages.ts';
import { InstanceProvider } from '../parts/app/instance.tsx';
import { Message } from '../parts/message.tsx';
import { Frame } from './frame.tsx';
import { lastInstance, rememberInstance } from './last-instance.ts';

export function SignedInRoute() {
  return useStore(session).state === 'signed-in' ? <Outlet /> : null;
}

/** The frame stays while pages change. Pages of the account and of the installation have that of the last instance. */
export function FramedRoute() {
  const { slug } = useParams({ strict: false }) as { slug?: string };
  const current = useStore(session);
  const instances = current.state === 'signed-in' ? current.instances : [];
  const instance =
    slug === undefined ? lastInstance(instances) : instances.find((each) => each.slug === slug);
  useEffect(() => {
    if (slug !== undefined && instance) rememberInstance(slug);
  }, [slug, instance]);
  const page = (
    <Frame>
      <Outlet />
    </Frame>
  );
  return instance ? <InstanceProvider instance={instance}>{page}</InstanceProvider> : page;
}

export function InstanceRoute() {
  const t = useMessages('shell');
  const { slug } = useParams({ strict: false }) as { slug: string };
  const current = useStore(session);
  const isMember = current.state === 'signed-in' && current.instances.some((each) => each.slug === slug);
  // Nothing of one instance stays on the page of another.
  if (
    current.state === 'signed-in' &&
    current.instances.some((each) => each.slug === slug && each.needs_second_factor)
  ) {
    return (
      <Message
        title={t.needs_second_factor}
        action={<Button renderRoot={(props) => <Link {...props} to="/account" />}>{t.to_account}</Button>}
      >
        {t.needs_second_factor_help}
      </Message>
    );
  }
  if (isMember) return <Outlet key={slug} />;
  return <Message title={t.no_member(slug)}>{t.no_member_help}</Message>;
}

export function HomeRoute() {
  const t = useMessages('shell');
  return <Message title={t.no_instance}>{t.no_instance_help}</Message>;
}
