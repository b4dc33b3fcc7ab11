import type { FunctionComponent } from 'react';
import type { Subject } from '../messages/vocabulary.ts';

interface PlainPage {
  path: string;
  /** What its code and its parts say, loaded beside it. */
  says: Subject[];
  load: () => Promise<{ Page: FunctionComponent }>;
}

/** Pages for anyone. */
export const openPages: PlainPage[] = [
  {
    path: '/accept-invitation',
    says: ['accept_invitation'],
    load: async () => await import('./accept-invitation/page.tsx'),
  },
  {
    path: '/forgotten-password',
    says: ['forgotten_password'],
    load: async () => await import('./forgotten-password/page.tsx'),
  },
  {
    path: '/reset-password',
    says: ['reset_password'],
    load: async () => await import('./reset-password/page.tsx'),
  },
  {
    path: '/single-sign-on',
    says: ['sign_in'],
    load: async () => await import('./single-sign-on/page.tsx'),
  },
];

/** Pages of a person, whatever the instance. */
export const accountPages: PlainPage[] = [
  { path: '/account', says: ['account'], load: async () => await import('./account/page.tsx') },
  {
    path: '/operator',
    says: ['operator', 'service_words'],
    load: async () => await import('./operator/page.tsx'),
  },
];

if (import.meta.env.DEV) {
  openPages.push({ path: '/parts', says: [], load: async () => await import('./parts/page.tsx') });
}
