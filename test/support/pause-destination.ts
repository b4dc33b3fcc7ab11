import { awaitNotifications } from './await-notifications.ts';
import type { TestService } from './test-service.ts';

/** Holds mail of an instance to a destination back. A node that was not notified of a pause hands over what it accepts. */
export async function pauseDestination(
  service: TestService,
  instanceId: number,
  destination: string,
): Promise<void> {
  await service.db.query(
    'insert into paused_destinations (instance_id, destination) values ($1, $2) on conflict do nothing',
    [instanceId, destination],
  );
  await awaitNotifications(service);
}
