import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { connection } from '../api/connection.ts';
import { ApiProblem } from '../api/problem.ts';
import { restore, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useMessages } from '../messages/use-messages.ts';
import { ConnectionBar } from '../parts/app/connection-bar.tsx';
import { useLanguage } from '../api/language.ts';
import { styleNonce } from '../parts/app/nonce.ts';
import { router } from './router.tsx';
import { resolver, themeWith } from './theme.ts';

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // A refusal stays one. Outages end by themselves: the bar asks, and then everything is read again.
      retry: (count, error) => error instanceof ApiProblem && error.is_outage && count < 1,
    },
  },
});

export function App() {
  const { state } = useStore(session);
  const reach = useStore(connection);
  const language = useLanguage();
  const { close } = useMessages('parts');
  const theme = useMemo(() => themeWith(close), [close]);
  useEffect(() => void queries.invalidateQueries(), [language]);
  useEffect(() => {
    // The page was opened in an outage: who it is for is known when that is over.
    if (reach === 'online' && session.get().state === 'unknown') void restore().catch(() => undefined);
  }, [reach]);
  useEffect(() => {
    // Nothing that one person read is shown to the next.
    if (state === 'signed-out') queries.clear();
    void router.invalidate();
  }, [state]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Toasts position="bottom-right" />
        </Suspense>
        {state === 'unknown' ? <ConnectionBar /> : <RouterProvider router={router} />}
      </QueryClientProvider>
    </MantineProvider>
  );
}
