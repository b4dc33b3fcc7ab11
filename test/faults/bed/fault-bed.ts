import path from 'node:path';
import type { Environment } from '../../../src/base/config.ts';
import { startDnsServer, type DnsServer } from '../../support/dns-server.ts';
import { makeBed, type Bed } from '../../support/service-process.ts';
import type { FaultDatabase } from './fault-database.ts';
import { programOf, startFaultNode, type FaultNode } from './fault-node.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { startSink, type RemoteManners, type Sink } from './sink.ts';

const secret = 'a root secret for faults, and for faults alone';
const senderDomain = 'shop.example.test';
const mostDestinations = 20;

export interface Caller {
  slug: string;
  api_key: string;
  sender: string;
  smtp: { username: string; password: string };
}

/** Services as real processes on one database, remote servers that take their mail, and a ledger of it all. */
export interface FaultBed {
  database: FaultDatabase;
  ledger: Ledger;
  manners: RemoteManners;
  caller: Caller;
  html: string;
  nodes: FaultNode[];
  addressOf: (id: string) => string;
  startNode(roles: string, more?: NodeExtras): Promise<FaultNode>;
  /** Runs a command that succeeds, on the code under test, and gives its object. */
  command(...args: string[]): Promise<Record<string, never>>;
  /** What `doctor` says, on a node with this environment. */
  doctor(
    env?: Environment,
  ): Promise<{ ok: boolean; findings: { check: string; ok: boolean; detail: string }[] }>;
  stop: () => Promise<void>;
}

export interface NodeExtras {
  env?: Environment;
  code?: string;
  /** In place of the remote server that the bed gives each node. */
  openSink?: (name: string) => Promise<Sink>;
}

export interface BedOptions {
  /** The code under test, unless a node is given another. */
  code: string;
  /** What sets the installation up, where that is other code. */
  first_code?: string;
  database: FaultDatabase;
}

export async function makeFaultBed({ code, first_code = code, database }: BedOptions): Promise<FaultBed> {
  const cleanups: (() => Promise<void>)[] = [async () => await database.remove()];
  const dns = await startDestinations();
  cleanups.push(dns.stop);
  const bed = makeBed(
    { after: (cleanup) => void cleanups.push(cleanup) },
    {
      DATABASE_URL: database.url,
      CHASQUI_SECRET: secret,
      CHASQUI_LOG_LEVEL: 'warn',
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
      CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
    },
  );
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  const ledger = createLedger();
  const manners: RemoteManners = {
    reply_after_ms: () => 20 + Math.random() * 100,
    recipient_after_ms: () => 0,
    destinations: mostDestinations,
  };
  const nodes: FaultNode[] = [];
  let caller: Caller;
  try {
    caller = await setUp(bed, { database, program: programOf(first_code) });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    database,
    ledger,
    manners,
    caller,
    html: `<p>${'Mail that survives. '.repeat(40)}</p>`,
    nodes,
    addressOf: (id) => `${id}@r${numberOf(id) % manners.destinations}.test`,
    async startNode(roles, more = {}) {
      const name = `n${nodes.length + 1}`;
      const sink = await (more.openSink?.(name) ?? startSink(ledger, name, manners));
      // Before the processes, so that they end first.
      cleanups.splice(1, 0, sink.stop);
      const options = { roles, code: more.code ?? code, env: more.env ?? {} };
      const node = await startFaultNode(name, options, { bed, ledger, sink });
      nodes.push(node);
      return node;
    },
    command: async (...args) => await bed.json(args, {}, programOf(code)),
    async doctor(env = {}) {
      const { stdout, stderr } = await bed.run(['doctor', '--json'], env, programOf(code));
      if (!stdout.startsWith('{')) throw new Error(`doctor: ${stderr}`);
      return JSON.parse(stdout) as Awaited<ReturnType<FaultBed['doctor']>>;
    },
    stop,
  };
}

/** Of an identifier such as `h1-0-17`. */
function numberOf(id: string): number {
  return id.split('-').reduce((sum, part) => sum + Number(part.replace(/\D/g, '')), 0);
}

async function startDestinations(): Promise<DnsServer> {
  const dns = await startDnsServer({});
  for (let index = 0; index < mostDestinations; index += 1) {
    dns.set(`r${index}.test`, 'MX', [`10 mx.r${index}.test`]);
    dns.set(`mx.r${index}.test`, 'A', ['127.0.0.1']);
  }
  return dns;
}

/** The demo that a first start makes, without limits, and with a domain whose mail may leave. */
async function setUp(
  bed: Bed,
  { database, program }: { database: FaultDatabase; program: string[] },
): Promise<Caller> {
  const first = await bed.serve(['--roles', 'api'], {}, program);
  const { demo } = first.ready;
  if (!demo) throw new Error('the first start made no demo');
  const { slug, api_key } = demo;
  const instance = ['--instance', slug];
  const [, smtp] = await Promise.all([
    bed.json(['domain', 'create', ...instance, senderDomain], {}, program),
    bed.json(['smtp-credential', 'create', ...instance, '--name', 'faults'], {}, program),
  ]);
  await database.query(
    `update instances set requests_per_second = 0, smtp_messages_per_second = 0,
       bandwidth_bytes_per_second = 2 ^ 40, bandwidth_burst_bytes = 2 ^ 40`,
  );
  await database.query(
    `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified',
       dmarc_status = 'verified' where domain = $1`,
    [senderDomain],
  );
  await database.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream)
     select instance_id, id, 'Shop', 'hi@' || domain, 'transactional' from domains where domain = $1`,
    [senderDomain],
  );
  first.child.kill('SIGTERM');
  await first.exited;
  return { slug, api_key, sender: `hi@${senderDomain}`, smtp: smtp as unknown as Caller['smtp'] };
}

/** This checkout. */
export const thisCode = path.resolve(import.meta.dirname, '../../..');
