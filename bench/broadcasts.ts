import { setTimeout as sleep } from 'node:timers/promises';
import type { Broadcast } from '../src/broadcasts/broadcast-schemas.ts';
import { openBroadcastAccount, type BroadcastAccount } from '../src/broadcasts/broadcast-account.fixture.ts';
import { addConsentingPeople } from '../test/support/consenting-people.ts';
import { startTestService, type TestService } from '../test/support/test-service.ts';
import { keepResults } from './support/results.ts';

/**
 * A broadcast to everyone who agreed: `npm run bench -- broadcasts [contacts]`, a million unless said, of whom six of ten agree. What
 * delivery takes from the queue is taken by a statement, so that the accepting is measured and not the delivery.
 */
const withdrawing = 500;

async function preparePeople({ db }: TestService, account: BroadcastAccount, count: number): Promise<void> {
  const { instance, marketing: purpose_id, first } = account;
  await addConsentingPeople(db, {
    instance_id: instance.id,
    purpose_id,
    term_id: first.id,
    version_id: first.version_id,
    count,
  });
  await db.query(
    'update instances set requests_per_second = 0, bandwidth_bytes_per_second = 2 ^ 40, bandwidth_burst_bytes = 2 ^ 40 where id = $1',
    [instance.id],
  );
  for (const table of ['consent_rules', 'consent_event_outcomes', 'consent_events'])
    await db.query(`vacuum (freeze, analyze) ${table}`);
}

/** In place of delivery. */
function emptyQueue({ db }: TestService): { stop: () => Promise<void> } {
  let isOver = false;
  const run = (async () => {
    while (!isOver) {
      const rows = await db.query(
        'delete from queue where mail_id in (select mail_id from queue order by mail_id limit 10000) returning 1',
      );
      if (rows.length < 1_000) await sleep(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await run;
    },
  };
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const result = await work();
  return [result, performance.now() - began];
}

async function until<T>(read: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== false) return found;
    await sleep(50);
  }
}

interface Kept {
  recipients: number;
  mails: number;
  people: number;
}

async function look({ db }: TestService, { id, custom_group_code }: Broadcast): Promise<Kept> {
  const [kept] = await db.query<Kept & Record<string, unknown>>(
    `select (select count(*) from broadcast_recipients where broadcast_id = $1) as recipients, count(*) as mails,
       count(distinct recipient) as people from mails where custom_group_code = $2`,
    [id, custom_group_code],
  );
  return kept as Kept;
}

export async function benchBroadcasts(): Promise<void> {
  const contacts = Number(process.argv[3] ?? 1_000_000);
  const service = await startTestService({ roles: 'api,jobs' });
  try {
    const account = await openBroadcastAccount(service);
    const [, prepared_ms] = await timed(async () => await preparePeople(service, account, contacts));
    console.log(`${contacts} contacts in ${(prepared_ms / 1000).toFixed(0)} s`);
    const { id } = await account.draft();
    const counts: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [answer, ms] = await timed(async () => await account.api.get(`/v1/broadcasts/${id}/audience`));
      console.log(`audience of ${answer.json.count} counted in ${ms.toFixed(0)} ms`, answer.json.left_out);
      counts.push(ms);
    }
    const get = async (): Promise<Broadcast> => (await account.api.get(`/v1/broadcasts/${id}`)).json;
    const queue = emptyQueue(service);
    const began = performance.now();
    await account.send(id);
    await until(async () => (await get()).progress.accepted > 0);
    const started_ms = performance.now() - began;
    console.log(`first mails accepted after ${(started_ms / 1000).toFixed(1)} s`);
    const last = await service.db.query<{ contact: string }>(
      'select contact from broadcast_recipients where broadcast_id = $1 order by position desc limit $2',
      [id, withdrawing],
    );
    for (const { contact } of last) await account.recordDeny(contact);
    const done = await until(async () => {
      const broadcast = await get();
      return broadcast.state === 'sent' && broadcast;
    });
    const all_ms = performance.now() - began;
    await queue.stop();
    const { recipients, accepted, left_out } = done.progress;
    const out = left_out.reduce((sum, { count }) => sum + count, 0);
    const kept = await look(service, done);
    const isKept =
      recipients === accepted + out &&
      kept.recipients === recipients &&
      kept.mails === kept.people &&
      kept.mails === recipients;
    const lines = [
      `${contacts} contacts, ${recipients} with a standing consent; ${withdrawing} withdraw while it runs. The queue is emptied by a statement, in place of delivery. PostgreSQL without fsync.`,
      '',
      '| | measured | asked for |',
      '|---|---|---|',
      `| audience counted, with a sample | ${counts.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')} | < 2 s |`,
      `| from sending to the first accepted mails | ${(started_ms / 1000).toFixed(1)} s | < 30 s |`,
      `| all handed over | ${(all_ms / 1000).toFixed(0)} s, ${Math.round((recipients ?? 0) / ((all_ms - started_ms) / 1000))} mails/s | |`,
      `| recipients = accepted + left out | ${recipients} = ${accepted} + ${out} (${left_out.map(({ reason, count }) => `${count} ${reason}`).join(', ')}); ${kept.mails} mails of ${kept.people} people | ${isKept ? 'exact' : 'NOT EXACT'} |`,
    ];
    keepResults('broadcasts', lines);
    console.log(lines.join('\n'));
    if (!isKept) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
