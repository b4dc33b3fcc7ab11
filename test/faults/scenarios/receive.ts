import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type Transporter } from 'nodemailer';
import { startWebhookSink, type WebhookSink } from '../../support/webhook-sink.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import type { FaultNode } from '../bed/fault-node.ts';
import type { Findings } from '../bed/findings.ts';
import type { Outcome, Scenario } from '../bed/scenario.ts';

const domain = 'shop.example.test';
const unlimited = {
  CHASQUI_INBOUND_PER_SOURCE_SECOND: '0',
  CHASQUI_INBOUND_PER_DOMAIN_SECOND: '0',
  CHASQUI_INBOUND_PER_INSTANCE_SECOND: '0',
};

interface Answers {
  /** Identifiers of mails that were answered with 250, and their subjects. */
  taken: Map<string, string>;
  refused: number;
  unanswered: number;
}

/** A mixed corpus: plain, with a file, large, in parts that never end, and broken. */
function messageOf(subject: string, n: number): Buffer {
  const head = `From: Ana <ana@sender.test>\r\nTo: <support@${domain}>\r\nSubject: ${subject}\r\n`;
  if (n % 50 === 7)
    return Buffer.from(`${head}\r\n${'x'.repeat(70)}\r\n`.padEnd(400_000, `${'y'.repeat(70)}\r\n`));
  if (n % 10 === 3)
    return Buffer.from(`${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nnever ends`);
  if (n % 10 === 5)
    return Buffer.from(
      `${head}Content-Type: text/plain; charset=none\r\nbroken line\r\n\r\n\xff\xfe`,
      'latin1',
    );
  if (n % 3 === 0) {
    const file = Buffer.alloc(9_000, 'order').toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const part = `--x\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n`;
    return Buffer.from(
      `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHola\r\n${part}--x--\r\n`,
    );
  }
  return Buffer.from(`${head}\r\nHola.\r\n`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Sends to one node until enough was answered; after a fault it tries again with the next mail. */
async function sendTo(
  transport: Transporter,
  { answers, enough, next }: { answers: Answers; enough: () => boolean; next: () => number },
): Promise<void> {
  while (!enough()) {
    const n = next();
    const subject = `m-${n}`;
    try {
      const envelope = { from: 'ana@sender.test', to: `support+${n}@${domain}` };
      const { response } = (await transport.sendMail({ envelope, raw: messageOf(subject, n) })) as {
        response: string;
      };
      const id = /^250 2\.0\.0 Received as (\S+)/.exec(response)?.[1];
      if (id === undefined) answers.refused += 1;
      else answers.taken.set(id, subject);
    } catch (error) {
      const { responseCode } = error as { responseCode?: number };
      if (responseCode === undefined) answers.unanswered += 1;
      else answers.refused += 1;
      await sleep(100);
    }
  }
}

async function prepare(bed: FaultBed, node: FaultNode, sink: WebhookSink): Promise<void> {
  const { slug, api_key } = bed.caller;
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${node.base_url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api_key}`,
        'x-instance-slug': slug,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  await bed.database.query('update domains set ownership_verified_at = now() where domain = $1', [domain]);
  const [row] = await bed.database.query<{ id: number }>(
    'select id::int as id from domains where domain = $1',
    [domain],
  );
  await post('/v1/inbound-routes', {
    domain_id: row?.id,
    name: 'All',
    match: 'catch_all',
    action: 'webhook',
  });
  await post('/v1/webhooks', { name: 'sink', url: `${sink.url}/in`, events: ['mail.received'] });
}

/** What every 250 must be: one received mail that was read, and one event. */
async function examineReceived(bed: FaultBed, answers: Answers, sink: WebhookSink): Promise<Outcome> {
  const stored = await bed.database.query<{
    id: string;
    subject: string | null;
    state: string;
    deliveries: number;
  }>(
    `select m.id::text as id, m.subject, m.state,
       (select count(*)::int from webhook_deliveries d where d.event_id = m.id) as deliveries from received_mails m`,
  );
  const byId = new Map(stored.map((mail) => [mail.id, mail]));
  const told = new Set(sink.requests.map(({ headers }) => String(headers['webhook-id']).replace('msg_', '')));
  const taken = [...answers.taken];
  const findings: Findings = {
    acknowledged: taken.length,
    refused: answers.refused,
    unanswered: answers.unanswered,
    lost: taken
      .filter(([id, subject]) => byId.get(id)?.subject !== subject || !told.has(id))
      .map(([id]) => id),
    standing: stored.filter(({ state }) => state === 'pending').map(({ id }) => id),
    doubled: stored.filter(({ deliveries }) => deliveries > 1).map(({ id }) => id),
    unheard: [],
    refused_but_stored: [],
    healed_ms: 0,
  };
  const failed = stored.filter(({ state }) => state === 'failed').length;
  return { findings, troubles: failed === 0 ? [] : [`${failed} could not be parsed`] };
}

async function becomesTold(bed: FaultBed, answers: Answers, sink: WebhookSink): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const told = new Set(sink.requests.map(({ headers }) => String(headers['webhook-id'])));
    if (![...answers.taken.keys()].every((id) => told.has(`msg_${id}`))) return false;
    const [row] = await bed.database.query<{ count: number }>(
      'select count(*)::int as count from received_mails where parse_due_at is not null',
    );
    return row?.count === 0;
  };
  await waitFor(isDone, { timeout_ms: 150_000, interval_ms: 250 }).catch(() => undefined);
}

export const receive: Scenario = {
  name: 'receive',
  about:
    'kill -9 of a node that takes in mail and of PostgreSQL in turn: every 250 is one received mail and one event',
  rounds: 6,
  options: { mails: 10_000, connections: 8, longest_wait: 6 },
  short: { mails: 150, connections: 4, longest_wait: 1 },
  needs_server: true,
  async play({ open, rounds, options: { mails = 1, connections = 1, longest_wait = 1 }, after, note }) {
    const sink = await startWebhookSink();
    after(async () => await sink.stop());
    const bed = await open();
    const ports = [await freePort(), await freePort()];
    const nodes = [];
    for (const port of ports) {
      const env = { ...unlimited, CHASQUI_INBOUND_PORT: String(port) };
      nodes.push(await bed.startNode('api,inbound,webhooks', { env }));
    }
    await prepare(bed, nodes[0] as FaultNode, sink);
    const answers: Answers = { taken: new Map(), refused: 0, unanswered: 0 };
    let sent = 0;
    const began = Date.now();
    let hasFaults = true;
    const plan = {
      answers,
      enough: () => answers.taken.size >= mails && !hasFaults,
      next: () => (sent += 1),
    };
    const transports = ports.map((port) =>
      createTransport({
        host: '127.0.0.1',
        port,
        pool: true,
        maxConnections: connections,
        tls: { rejectUnauthorized: false },
      }),
    );
    const load = transports.flatMap((transport) =>
      Array.from({ length: connections }, async () => await sendTo(transport, plan)),
    );
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(500 + Math.random() * longest_wait * 1_000);
      const node = nodes[round % nodes.length];
      if (round % 2 === 0) await bed.database.kill().then(async () => await bed.database.start());
      else await node?.kill().then(async () => await node.start());
      note(
        `round ${round}: killed ${round % 2 === 0 ? 'PostgreSQL' : node?.name}, ${answers.taken.size} taken`,
      );
    }
    hasFaults = false;
    await Promise.all(load);
    for (const transport of transports) transport.close();
    const seconds = (Date.now() - began) / 1_000;
    await becomesTold(bed, answers, sink);
    note(`${answers.taken.size} taken in ${Math.round(seconds)} s, ${sink.requests.length} events posted`);
    return await examineReceived(bed, answers, sink);
  },
};
