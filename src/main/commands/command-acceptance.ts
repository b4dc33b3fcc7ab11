import { createAcceptance, type Acceptance } from '../../accept/accept-mail.ts';
import { systemClock } from '../../base/clock.ts';
import { createNotifications } from '../../base/db/notifications.ts';
import { createInstanceDirectory } from '../../instances/instance-directory.ts';
import { createSharedBuckets } from '../../limits/shared-buckets.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { openRootSecret } from '../root-secret.ts';
import type { StoreContext } from './with-store.ts';

/** For a command that queues one mail, which the running service delivers. */
export async function commandAcceptance({ config, store, renderer }: StoreContext): Promise<Acceptance> {
  const { db, connection } = store;
  // Never started: what one command reads once cannot grow old.
  const notifications = createNotifications(connection, () => undefined);
  return createAcceptance({
    db,
    notifications,
    clock: systemClock,
    buckets: createSharedBuckets(db),
    instances: createInstanceDirectory(db, notifications),
    renderer,
    hashes: new ContactHashes(await openRootSecret(db, config)),
  });
}
