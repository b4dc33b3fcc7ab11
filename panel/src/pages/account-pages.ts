import type { FunctionComponent } from 'react';

interface PlainPage {
  path: string;
  load: () => Promise<{ Page: FunctionComponent }>;
}

/** Pages for anyone. */
export const openPages: PlainPage[] = [
  { path: '/accept-invitation', load: async () => await import('./accept-invitation/page.tsx') },
  { path: '/forgotten-password', load: async () => await import('./forgotten-password/page.tsx') },
  { path: '/reset-password', load: async () => await import('./reset-password/page.tsx') },
];

/** Pages of a person, whatever the instance. */
export const accountPages: PlainPage[] = [
  { path: '/account', load: async () => await import('./account/page.tsx') },
  { path: '/operator', load: async () => await import('./operator/page.tsx') },
];

if (import.meta.env.DEV) {
  openPages.push({ path: '/parts', load: async () => await import('./parts/page.tsx') });
}
