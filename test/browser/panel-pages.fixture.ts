/** Every page of an instance, below `/panel/i/<slug>`: each is held to the same rules and has its pictures taken. */
export const instancePages = [
  '/activity',
  '/activity?list=bounces',
  '/queue',
  '/senders',
  '/suppressions',
  '/suppressions?list=complaints',
  '/webhooks',
  '/api-keys',
  '/smtp-credentials',
  '/team',
  '/settings',
  '/audit',
];

/** Pages below `/panel`. */
export const otherPages = ['/account'];
