import { Outlet, useParams } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Message } from '../parts/message.tsx';
import { Frame } from './frame.tsx';
import { InstanceProvider } from './instance.tsx';
import { useWords } from './languages.ts';
import { words } from './words.ts';

export function SignedInRoute() {
  const current = useStore(session);
  const t = useWords(words);
  if (current.state !== 'signed-in') return null;
  if (current.instances.length === 0) {
    return (
      <Frame>
        <Message title={t.no_instance}>{t.no_instance_help}</Message>
      </Frame>
    );
  }
  return <Outlet />;
}

export function InstanceRoute() {
  const t = useWords(words);
  const { slug } = useParams({ strict: false }) as { slug: string };
  const current = useStore(session);
  const instance = current.state === 'signed-in' && current.instances.find((each) => each.slug === slug);
  if (!instance) {
    return (
      <Frame>
        <Message title={t.no_member(slug)}>{t.no_member_help}</Message>
      </Frame>
    );
  }
  return (
    <InstanceProvider instance={instance} key={slug}>
      <Frame>
        <Outlet />
      </Frame>
    </InstanceProvider>
  );
}
