import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/base/config.ts';
import type { Database } from '../src/base/db/database.ts';
import { createLog } from '../src/base/log.ts';
import { provisionInstance } from '../src/main/provision.ts';
import { openRootSecret } from '../src/main/root-secret.ts';
import { openStore } from '../src/main/store.ts';
import { createWebhook } from '../src/webhooks/change-webhook.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';

/**
 * Webhooks on one machine with their endpoints. First 500 events a second to 22 endpoints, one of which never answers and
 * one of which fails: how long after the event do the 20 others have it? Then a backlog: deliveries per second.
 */
const healthy = 20;
const eventsPerSecond = Number(process.env['EVENTS'] ?? 500);
const seconds = Number(process.env['SECONDS'] ?? 15);
const backlogEvents = 1_000;
const tickMs = 20;

interface Endpoint {
  url: string;
  /** Milliseconds from each event to its arrival. */
  waits: number[];
  stop(): void;
}

async function startEndpoint(answer: 'ok' | 'fail' | 'hang'): Promise<Endpoint> {
  const waits: number[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (answer === 'hang') return;
      response.statusCode = answer === 'ok' ? 204 : 500;
      response.end();
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
      waits.push(Date.now() - Date.parse(timestamp));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    waits,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Customer {
  instance_id: number;
  mail_id: string;
}

/** An instance with one mail to hang events on. */
async function addCustomer(db: Database, slug: string): Promise<Customer> {
  const actor = { kind: 'operator' } as const;
  const { id } = await db.transaction(async (tx) => await provisionInstance(tx, { slug, name: slug }, actor));
  const mail_id = uuidv7();
  await db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at)
     values ($1, $1, $2, 3, 'ana@example.com', 'to', 1, 'hello@example.com', 'Your order 1001', false, now())`,
    [mail_id, id],
  );
  return { instance_id: id, mail_id };
}

/** As delivery writes them: many in one statement. */
async function addEvents(db: Database, customers: Customer[]): Promise<void> {
  const at = new Date();
  const data = JSON.stringify({ remote_host: 'mx.example.com', smtp_code: 250, response: '250 2.0.0 OK' });
  await db.query(
    {
      name: 'bench.add_events',
      text: `insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, data)
        select e.*, $4::timestamptz, 'sent', 3, $5::jsonb
        from (select event_id, mail_id, mail_id as msg_id, instance_id
              from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as e (event_id, mail_id, instance_id)) as e`,
    },
    [
      customers.map(() => uuidv7({ msecs: at.getTime() })),
      customers.map(({ mail_id }) => mail_id),
      customers.map(({ instance_id }) => instance_id),
      at,
      data,
    ],
  );
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
  const [user, system] = stat.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

const percentile = (sorted: number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Infinity;

async function until(isDone: () => boolean, timeout_ms: number): Promise<void> {
  const end = performance.now() + timeout_ms;
  while (!isDone() && performance.now() < end) await sleep(5);
}

export async function benchWebhooks(): Promise<void> {
  const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-bench-webhooks-'));
  const env = { CHASQUI_DATA_DIR: data_dir, CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' };
  const service = await startServiceUnderTest('api,webhooks', env);
  const config = readConfig({ ...process.env, ...env });
  const store = await openStore({
    config,
    schema: 'current',
    log: createLog('silent'),
    on_lost: () => undefined,
  });
  const { db } = store;
  const root = await openRootSecret(db, config);
  const register = async ({ instance_id }: Customer, url: string): Promise<void> => {
    const wanted = {
      webhook: { name: 'bench', url },
      root,
      actor: { kind: 'operator' } as const,
      now: new Date(),
    };
    await db.transaction(async (tx) => await createWebhook(tx, instance_id, wanted));
  };
  const endpoints = await Promise.all(Array.from({ length: healthy }, async () => await startEndpoint('ok')));
  const [silent, failing] = [await startEndpoint('hang'), await startEndpoint('fail')];
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  };
  try {
    const customers: Customer[] = [];
    for (const [index, { url }] of [...endpoints, silent, failing].entries()) {
      const customer = await addCustomer(db, `bench-${index}`);
      await register(customer, url);
      customers.push(customer);
    }

    // Each event is for one of the customers in turn; each of them has one endpoint.
    let made = 0;
    const toHealthy = (): number => endpoints.reduce((sum, { waits }) => sum + waits.length, 0);
    const expected = (): number =>
      Array.from({ length: healthy }, (_, index) => Math.ceil((made - index) / customers.length)).reduce(
        (a, b) => a + b,
        0,
      );
    const cpu = cpuOf(service.pid);
    const began = performance.now();
    while (performance.now() - began < seconds * 1000) {
      const due = Math.floor(((performance.now() - began) / 1000) * eventsPerSecond);
      const batch = Array.from(
        { length: due - made },
        (_, index) => customers[(made + index) % customers.length] as Customer,
      );
      if (batch.length > 0) await addEvents(db, batch);
      made += batch.length;
      await sleep(tickMs);
    }
    await until(() => toHealthy() >= expected(), 10_000);
    const waits = endpoints.flatMap((each) => each.waits).toSorted((a, b) => a - b);
    const used = cpuOf(service.pid) - cpu;
    say(
      `| ${Math.round(made / seconds)} events/s to ${healthy} healthy endpoints beside a silent and a failing one | |`,
    );
    say('|---|---|');
    say(`| delivered to the healthy ones | ${waits.length} of ${expected()} |`);
    say(
      `| event to delivery, p50 / p99 / most | ${percentile(waits, 0.5)} / ${percentile(waits, 0.99)} / ${waits.at(-1)} ms |`,
    );
    say(`| attempts at the failing one | ${failing.waits.length} |`);
    say(`| processor of the service per delivery | ${Math.round((used * 1000) / waits.length)} µs |`);

    // One customer with 20 endpoints, and more to tell them than can be told at once.
    for (const { waits: seen } of endpoints) seen.length = 0;
    const crowd = await addCustomer(db, 'bench-crowd');
    for (const { url } of endpoints) await register(crowd, url);
    await sleep(500);
    const wanted = backlogEvents * healthy;
    const start = performance.now();
    for (let part = 0; part < backlogEvents; part += 100)
      await addEvents(
        db,
        Array.from({ length: 100 }, () => crowd),
      );
    await until(() => toHealthy() >= wanted, 60_000);
    const took = (performance.now() - start) / 1000;
    say(
      `| ${toHealthy()} deliveries of ${backlogEvents} events to ${healthy} endpoints | ${Math.round(toHealthy() / took)} a second |`,
    );
    keepResults('webhooks', lines);
  } finally {
    for (const endpoint of [...endpoints, silent, failing]) endpoint.stop();
    await store.close();
    await service.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}
