import type { Tenant, TestService } from './test-service.ts';
import { waitFor } from './wait-for.ts';

const probers = new WeakMap<TestService, Tenant>();
let probes = 0;

/**
 * Holds mail of an instance to a destination back. A node learns of a pause by a notification, and hands over what it
 * accepts before: a mail of another instance that stays in the queue tells that the notification came.
 */
export async function pauseDestination(
  service: TestService,
  instanceId: number,
  destination: string,
): Promise<void> {
  const prober = probers.get(service) ?? (await service.tenant());
  probers.set(service, prober);
  const { api, instance } = prober;
  const probe = `probe-${(probes += 1)}.sandbox.test`;
  await service.db.query(
    'insert into paused_destinations (instance_id, destination) values ($1, $2), ($3, $4) on conflict do nothing',
    [instanceId, destination, instance.id, probe],
  );
  const mail = {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: `any@${probe}` }],
    subject: 'Probe',
    html: '<p>Probe</p>',
  };
  const isKnown = async (): Promise<boolean> => {
    const { json } = await api.post('/v1/mails/send', mail);
    const waiting = 'delete from queue where msg_id = $1 and lease is null returning mail_id';
    return (await service.db.query(waiting, [json.message_id])).length === 1;
  };
  await waitFor(isKnown, { what: `the pause of ${destination} to be known` });
}
