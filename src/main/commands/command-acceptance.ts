import { createAcceptance, type Acceptance } from '../../accept/accept-mail.ts';
import { systemClock } from '../../base/clock.ts';
import { createNotifications } from '../../base/db/notifications.ts';
import { createInstanceDirectory } from '../../instances/instance-directory.ts';
import { createSharedBuckets } from '../../limits/shared-buckets.ts';
import type { TemplateRenderer } from '../../templates/template-renderer.ts';
import type { Store } from '../store.ts';

/** For a command that queues one mail, which the running service delivers. */
export function commandAcceptance({
  store,
  renderer,
}: {
  store: Store;
  renderer: TemplateRenderer;
}): Acceptance {
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
  });
}
