/** Every page of an instance, below `/panel/i/<slug>`: each is held to the same rules and has its pictures taken. */
export const instancePages = [
  '/senders',
  '/webhooks',
  '/api-keys',
  '/smtp-credentials',
  '/team',
  '/settings',
  '/audit',
];

/** Pages below `/panel`. */
export const otherPages = ['/account'];
