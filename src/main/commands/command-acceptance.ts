import { createAcceptance, type Acceptance } from '../../accept/accept-mail.ts';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { createNotifications } from '../../base/db/notifications.ts';
import { createInstanceDirectory } from '../../instances/instance-directory.ts';
import { createSharedBuckets } from '../../limits/shared-buckets.ts';
import type { TemplateRenderer } from '../../templates/template-renderer.ts';
import { ContactHashes } from '../../restrictions/contact-hash.ts';
import { openRootSecret } from '../root-secret.ts';
import type { Store } from '../store.ts';

/** For a command that queues one mail, which the running service delivers. */
export async function commandAcceptance({
  config,
  store,
  renderer,
}: {
  config: Config;
  store: Store;
  renderer: TemplateRenderer;
}): Promise<Acceptance> {
  const { db, connection } = store;
  // Never started: what one command reads once cannot grow old.
  const notifications = createNotifications(connection, () => undefined);
  return createAcceptance({
    db,
    notifications,
    clock: systemClock,
    buckets: createSharedBuckets(db),
    instances: createInstanceDirectory(db, notifications, systemClock),
    renderer,
    hashes: new ContactHashes(await openRootSecret(db, config)),
  });
}
