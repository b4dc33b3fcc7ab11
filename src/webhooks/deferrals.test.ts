import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { acceptMail, createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

let bed: WebhookBed;
before(async () => {
  bed = await startWebhookBed({ roles: 'api,delivery,webhooks' });
});
after(async () => await bed.stop());

const typesOf = (requests: { body: Buffer | string }[]): string[] =>
  requests.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type).toSorted();

/** The message, which is always deferred, is attempted again. */
async function attemptAgain(msg_id: string): Promise<void> {
  const { db } = bed.service;
  const deferrals = async (): Promise<number> =>
    (await db.query(`select 1 from events where msg_id = $1 and event = 'deferred'`, [msg_id])).length;
  const beforeIt = await deferrals();
  await db.query('update queue set due_at = now() where msg_id = $1 and lease is null', [msg_id]);
  await db.query(`select pg_notify('chasqui_queue', '')`);
  await waitFor(async () => (await deferrals()) > beforeIt, { what: 'another deferral' });
}

/** Deliveries are made in the transaction of the deferral. */
async function announced(msg_id: string, webhook_id: number): Promise<number> {
  const rows = await bed.service.db.query(
    `select 1 from webhook_deliveries d join mails m using (mail_id)
     where m.msg_id = $1 and d.webhook_id = $2 and d.type = 'mail.deferred'`,
    [msg_id, webhook_id],
  );
  return rows.length;
}

test('webhooks are told of the first deferral of a mail, then at most once an hour', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(own, sink.url);
  const msg_id = await acceptMail(own, { to: [{ email: 'softbounce@sandbox.test' }] });
  await sink.waitForRequests(1);
  const back = async (minutes: number): Promise<void> =>
    void (await bed.service.db.query(
      `update queue set deferral_announced_at = now() - make_interval(mins => $2) where msg_id = $1`,
      [msg_id, minutes],
    ));
  await attemptAgain(msg_id);
  await back(59);
  await attemptAgain(msg_id);
  assert.equal(await announced(msg_id, id), 1, 'not twice within an hour');
  await back(61);
  await attemptAgain(msg_id);
  assert.equal(await announced(msg_id, id), 2);
  await attemptAgain(msg_id);
  assert.equal(await announced(msg_id, id), 2, 'the hour begins anew');
  await sink.waitForRequests(2);
  const attempts = sink.requests.map(
    ({ body }) => (JSON.parse(body.toString()) as { data: { attempt: number } }).data.attempt,
  );
  assert.deepEqual(
    [typesOf(sink.requests), attempts.toSorted((a, b) => a - b)],
    [
      ['mail.deferred', 'mail.deferred'],
      [1, 4],
    ],
  );
});

test('a webhook that did not ask for deferrals, is paused or is another instance’s is not told', async (t) => {
  const own = await bed.service.tenant();
  const other = await bed.service.tenant();
  const sink = await bed.sink(t);
  const asked = await createEndpoint(own, sink.url, { events: ['mail.deferred'] });
  const others = [
    await createEndpoint(own, sink.url, { events: ['mail.sent', 'mail.bounced'] }),
    await createEndpoint(other, sink.url),
  ];
  const paused = await createEndpoint(own, sink.url);
  await own.api.patch(`/v1/webhooks/${paused.id}`, { is_active: false });
  const msg_id = await acceptMail(own, { to: [{ email: 'softbounce@sandbox.test' }] });
  await waitFor(async () => (await announced(msg_id, asked.id)) === 1, { what: 'the announcement' });
  for (const { id } of [...others, paused]) assert.equal(await announced(msg_id, id), 0);
});
