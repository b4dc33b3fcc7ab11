import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { createStore, useStore } from '../api/store.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** When it was last asked for; 0 for never, and then it is not even loaded. */
const asked_at = createStore(0);
export const openPalette = (): void => asked_at.set(performance.now());

/** `/` or Ctrl-K from anywhere. */
export function Palette() {
  const asked = useStore(asked_at);
  useHotkeys([
    ['/', openPalette],
    ['mod + K', openPalette],
  ]);
  return asked === 0 ? null : (
    <Suspense>
      <CommandPalette asked_at={asked} />
    </Suspense>
  );
}
