import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { connection } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Message } from '../parts/message.tsx';

/**
 * The page that is open. While another one was asked for and cannot come, the navigation already names it: the one before must
 * not stand there as if it were that.
 */
export function OrWaiting({ children }: { children: ReactNode }) {
  const t = useMessages('shell');
  const reach = useStore(connection);
  const isMoving = useRouterState({
    select: ({ status, location, resolvedLocation }) =>
      status === 'pending' && location.pathname !== resolvedLocation?.pathname,
  });
  if (reach === 'online' || !isMoving) return children;
  return <Message title={t.waiting}>{t.waiting_help}</Message>;
}
