import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { halfWritten } from '../../src/accept/half-written.fixture.ts';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import { makeBed, type Ready, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** Every round kills the service once; every other round its database too. */
const rounds = Number(process.env['CHASQUI_KILL_ROUNDS'] ?? 4);
const clients = 16;
const bed = makeBed({ after });
type Demo = NonNullable<Ready['demo']>;

interface Sent {
  recipients: number;
  html: string;
  attached: boolean;
  /** Undefined: the client never heard. */
  message_id?: string;
  status?: number;
}
/** Everything any client ever sent, by its custom_msg_id. */
const sent = new Map<string, Sent>();

async function send(base_url: string, { api_key, slug }: Demo, id: string): Promise<void> {
  const number = sent.size;
  const attached = number % 7 === 0;
  const size = number % 23 === 0 ? 400_000 : 1 + (number % 2_000);
  const mail: Sent = { recipients: 1 + (number % 3), html: `<p>${id}</p>${'ñ'.repeat(size)}`, attached };
  sent.set(id, mail);
  const response = await fetch(`${base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'x-instance-slug': slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: `test@${slug}.sandbox.test`,
      to: Array.from({ length: mail.recipients }, (_, index) => ({ email: `p${index}@sandbox.test` })),
      subject: id,
      html: mail.html,
      custom_msg_id: id,
      attachments: attached
        ? [{ type: 'a/b', filename: id, content: Buffer.from(id).toString('base64') }]
        : [],
    }),
  });
  mail.status = response.status;
  if (response.status === 200) {
    mail.message_id = ((await response.json()) as { message_id: string }).message_id;
  }
}

/** Runs `work` on the embedded database, which is started for it when no service runs. */
async function onDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const postgres = await openEmbeddedPostgres({ data_dir: bed.data_dir });
  const client = new Client(postgres.connection);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** Sends from all clients until the service is gone, at a random moment. */
async function killUnderLoad(round: number, service: ServiceProcess, demo: Demo): Promise<void> {
  const answered = (): number => [...sent.values()].filter(({ message_id }) => message_id).length;
  const before = answered();
  let going = true;
  const load = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; going; count += 1) {
      await send(service.ready.base_url, demo, `${round}/${client}/${count}`).catch(() => {
        going = false;
      });
    }
  });
  await waitFor(() => answered() > before + clients, { timeout_ms: 20_000, what: 'the first answers' });
  const until = performance.now() + Math.random() * 1_000;
  await waitFor(() => performance.now() > until, { interval_ms: 1 });
  const postgres = bed.postgresPid();
  if (round % 2 === 1 && postgres !== undefined) process.kill(postgres, 'SIGKILL');
  service.child.kill('SIGKILL');
  await service.exited;
  going = false;
  await Promise.all(load);
}

interface Found {
  custom_msg_id: string;
  messages: number;
  msg_id: string;
  mails: number;
  queued: number;
  html_md5: string;
  attachments: number;
}

async function look(client: Client): Promise<{ found: Map<string, Found>; broken: unknown[] }> {
  const { rows } = await client.query<Found>(
    `select m.custom_msg_id, count(distinct m.msg_id)::int as messages, min(m.msg_id::text) as msg_id,
       count(*)::int as mails, count(q.mail_id)::int as queued, min(md5(g.html)) as html_md5,
       (select count(*)::int from message_attachments a
        where a.msg_id::text = min(m.msg_id::text) and convert_from(a.content, 'UTF8') = m.custom_msg_id) as attachments
     from mails m join messages g using (msg_id) left join queue q using (mail_id) group by m.custom_msg_id`,
  );
  const broken = await client.query(halfWritten);
  return { found: new Map(rows.map((row) => [row.custom_msg_id, row])), broken: broken.rows };
}

function isWhole(mail: Sent, row: Found): boolean {
  return (
    row.messages === 1 &&
    row.mails === mail.recipients &&
    row.queued === mail.recipients &&
    row.html_md5 === createHash('md5').update(mail.html).digest('hex') &&
    row.attachments === (mail.attached ? 1 : 0) &&
    (mail.message_id === undefined || row.msg_id === mail.message_id)
  );
}

test(`after ${rounds} times kill -9 under load, every 200 is there once and whole, and nothing is half-written`, async (t) => {
  let demo: Demo | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const service = await bed.serve(['--roles', 'api']);
    demo ??= service.ready.demo;
    assert.ok(demo);
    if (round === 0) {
      const unlimited = `update instances set requests_per_second = 0,
        bandwidth_bytes_per_second = 2 ^ 40, bandwidth_burst_bytes = 2 ^ 40`;
      await onDatabase(async (client) => await client.query(unlimited));
    }
    await killUnderLoad(round, service, demo);
  }
  const { found, broken } = await onDatabase(look);
  assert.deepEqual(broken, []);
  const wrong = [...sent].flatMap(([id, mail]) => {
    const row = found.get(id);
    const fine = row ? isWhole(mail, row) : mail.message_id === undefined;
    return fine ? [] : [{ id, message_id: mail.message_id, row }];
  });
  assert.deepEqual(wrong, []);
  const statuses = new Set([...sent.values()].map(({ status }) => status));
  for (const expected of [200, 503, undefined]) statuses.delete(expected);
  assert.deepEqual([...statuses], [], 'answers are 200, or 503 when the database went first');
  const answered = [...sent.values()].filter(({ message_id }) => message_id).length;
  t.diagnostic(
    `${rounds} rounds: ${sent.size} sends, ${answered} answered 200 and all of them there, ` +
      `${found.size - answered} written though their client never heard`,
  );
});
