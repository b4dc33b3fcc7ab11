import { changesHeard } from './changes-heard.ts';
import type { TestService } from './test-service.ts';

/** Holds mail of an instance to a destination back. A node that has not heard of a pause hands over what it accepts. */
export async function pauseDestination(
  service: TestService,
  instanceId: number,
  destination: string,
): Promise<void> {
  await service.db.query(
    'insert into paused_destinations (instance_id, destination) values ($1, $2) on conflict do nothing',
    [instanceId, destination],
  );
  await changesHeard(service);
}
