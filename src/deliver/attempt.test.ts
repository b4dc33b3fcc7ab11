import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { inSequence, silence } from '../../test/support/remote-mx.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import {
  addVerifiedDomain,
  senderDomain,
  sendFrom,
  startDeliveryBed,
  type DeliveryBed,
} from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  // An eighth of the lease, 0.75 s, is the longest search for a server; waiting for a silent one takes longer.
  bed = await startDeliveryBed({ CHASQUI_DELIVERY_LEASE_SECONDS: '6', CHASQUI_MX_TIMEOUT_SECONDS: '2' });
});
after(async () => await bed.stop());

describe('an attempt', { concurrency: 3 }, () => {
  test('ends before its lease does: behind a silent server no further one is tried', async (t) => {
    const [mute, good] = [await bed.remote(t, { script: { greeting: silence } }), await bed.remote(t)];
    bed.dns.set(mute.domain, 'MX', [`10 ${mute.host}`, `20 ${good.host}`]);
    await bed.send(`a@${mute.domain}`);
    const [event, ...rest] = await bed.becomes(`a@${mute.domain}`, 5);
    assert.deepEqual([event?.reason, event?.data['remote_host']], ['connection_timeout', mute.host]);
    assert.deepEqual(rest, []);
    assert.equal(good.mx.sessions.length, 0);
    // The next one finds out at once that the first server is silent, and has the time for the second.
    await bed.send(`b@${mute.domain}`);
    const [next] = await bed.becomes(`b@${mute.domain}`, 3);
    assert.equal(next?.data['remote_host'], good.host);
  });

  test('is not made while the instance is disabled, and follows when it is enabled', async (t) => {
    const remote = await bed.remote(t);
    const { db } = bed.service;
    const other = await bed.service.tenant();
    await addVerifiedDomain(bed.service, other, 'disabled.example.test');
    const id = [other.instance.id];
    await pauseDestination(bed.service, other.instance.id, remote.domain);
    await sendFrom(other, `a@${remote.domain}`, { sender_email: 'hi@disabled.example.test' });
    await db.query('update instances set is_enabled = false where id = $1', id);
    await db.query('delete from paused_destinations where instance_id = $1', id);
    const held = async (): Promise<boolean> =>
      (await db.query('select from queue where instance_id = $1 and held_since is not null', id)).length ===
      1;
    await waitFor(held, { what: 'the mail to be held' });
    assert.equal(remote.mx.sessions.length, 0);
    await db.query('update instances set is_enabled = true where id = $1', id);
    const log = await bed.becomes(`a@${remote.domain}`, 3, 15_000);
    assert.deepEqual([log.at(0)?.event, log.at(0)?.reason], ['held', 'instance_disabled']);
  });

  const causes: [name: string, happen: (to: string) => Promise<unknown>][] = [
    ['restricted', restrict],
    ['unsubscribed', unsubscribe],
  ];
  for (const [name, happen] of causes) {
    test(`that follows another is not made when the recipient was ${name} in between`, async (t) => {
      const remote = await bed.remote(t);
      remote.mx.script.RCPT = inSequence('451 4.3.0 try again in 2 seconds', '250 2.1.5 ok');
      const to = `a@${remote.domain}`;
      await bed.send(to, { sender_email: `news@${senderDomain}` });
      await bed.becomes(to, 5);
      await happen(to);
      const log = await bed.becomes(to, 4);
      assert.deepEqual([log.at(0)?.event, log.at(-1)?.event], ['deferred', 'dropped']);
      assert.ok(!log.some(({ event }) => event === 'sent'));
    });
  }
});

async function restrict(to: string): Promise<void> {
  await bed.service.db.query(
    `insert into restrictions (instance_id, recipient, reason)
     select instance_id, recipient, 'manual' from mails where recipient = $1`,
    [to],
  );
}

async function unsubscribe(to: string): Promise<void> {
  const { db } = bed.service;
  const [mail] = await db.query<{ mail_id: string }>('select mail_id from mails where recipient = $1', [to]);
  const recorded = await recordUnsubscribe(db, {
    mail_id: mail?.mail_id ?? '',
    method: 'page',
    reason: null,
    at: new Date(),
  });
  assert.equal(recorded?.is_new, true);
}
