import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startDnsServer } from '../test/support/dns-server.ts';
import { startBareMail } from './support/bare-mail.ts';
import { htmlWithLinks } from './support/html-with-links.ts';
import { startHaraka } from './support/haraka.ts';
import type { Task } from './support/http-load.ts';
import { haveOpenDkim, startOpenDkim } from './support/opendkim.ts';
import { freePort, havePostfix, smtpSource, startPostfix } from './support/postfix.ts';
import { processorTime } from './support/processor-time.ts';
import { keepResults } from './support/results.ts';
import { addSendingDomain } from './support/sending-domain.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { sink_host, startSink } from './support/sink.ts';
import { loadWithSmtp, type SmtpTask } from './support/smtp-load.ts';

/**
 * End to end: from the first submission to the last 250 of a sink, all on this machine, beside postfix, postfix with
 * OpenDKIM and Haraka, and beside the least that Node and PostgreSQL can be made to do it with. Rounds alternate, so that all see the same machine. Needs Debian's postfix and opendkim, a C
 * compiler for the load tool, and fetches Haraka from npm into a cache on first use. CASES=rsa,postfix runs some of them.
 */
const run = promisify(execFile);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const chosen = (process.env['CASES'] ?? '').split(',').filter(Boolean);
const bytes = 4_000;
const connections = 20;
const plain_messages = Number(process.env['MESSAGES'] ?? 10_000);
const signed_messages = Number(process.env['MESSAGES'] ?? 5_000);
/** Until what runs in Node is compiled: in its first 10,000 messages one takes half as much again. */
const warm_up_messages = 10_000;
/** Of a round, what comes before it uncounted: what is meant is mail that keeps coming (`accept.ts`). */
const run_up = 0.3;
/** PROFILE=folder writes a profile of the service there. */
const profiling = process.env['PROFILE'] ? `--cpu-prof --cpu-prof-dir=${process.env['PROFILE']}` : '';
const longest_round_ms = 180_000;

interface Round {
  per_second: number;
  /** Processor time a message: of the process itself, and of those below it (PostgreSQL; postfix's many). */
  own_us: number;
  others_us: number;
}

interface Case {
  name: string;
  key: string;
  messages: number;
  /** Submits so many messages. */
  load: (messages: number) => Promise<unknown>;
  /** Processes whose work counts, with all below them. */
  pids: number[];
  measured: Round[];
}

const parts: { stop: () => unknown }[] = [];
const keep = <T extends { stop: () => unknown }>(part: T): T => {
  parts.push(part);
  return part;
};

function timeOf(pids: number[]): { own_us: number; others_us: number } {
  const times = pids.map(processorTime);
  const sum = (key: 'own_us' | 'others_us'): number => times.reduce((total, time) => total + time[key], 0);
  return { own_us: sum('own_us'), others_us: sum('others_us') };
}

async function measure(
  { messages, load, pids, name }: Case,
  sinkPort: number,
  count = messages,
): Promise<Round> {
  const sink = await startSink(sinkPort, count);
  const before = timeOf(pids);
  const began = performance.now();
  const late = new AbortController();
  try {
    await load(count);
    const full = await Promise.race([sink.full, delay(longest_round_ms, undefined, { signal: late.signal })]);
    if (full === undefined) throw new Error(`${name}: not all of ${count} messages came through`);
    // What is still written down about the last ones belongs to them.
    await delay(500);
    const after = timeOf(pids);
    return {
      per_second: count / ((full - began) / 1000),
      own_us: (after.own_us - before.own_us) / count,
      others_us: (after.others_us - before.others_us) / count,
    };
  } finally {
    late.abort();
    await sink.stop();
  }
}

async function smtpTask(service: ServiceUnderTest, from: string): Promise<SmtpTask> {
  const options = ['--instance', service.slug, '--name', 'bench'];
  const credential = await service.command('smtp-credential', 'create', ...options);
  return {
    address: service.submission.starttls,
    username: String(credential['username']),
    password: String(credential['password']),
    from,
    to: 'c@d.test',
    bytes,
    connections,
    messages: 0,
    reuse: true,
  };
}

function httpTask(service: ServiceUnderTest, from: string): Task {
  return {
    base_url: service.base_url,
    path: '/v1/mails/send',
    headers: {
      authorization: `Bearer ${service.api_key}`,
      'x-instance-slug': service.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: from,
      to: [{ email: 'c@d.test' }],
      subject: 'Benchmark',
      html: htmlWithLinks(20_000, 30),
    }),
    connections,
  };
}

const httpLoad = path.join(import.meta.dirname, 'support', 'http-load.ts');
const freeSignatures = pathToFileURL(path.join(import.meta.dirname, 'support', 'free-signatures.ts')).href;

async function ourCases(sinkPort: number): Promise<Case[]> {
  const dns = keep(await startDnsServer({ records: { 'd.test': { MX: ['10 mx.d.test'] } } }));
  dns.set('mx.d.test', 'A', [sink_host]);
  const env = {
    CHASQUI_DNS_SERVERS: dns.address,
    CHASQUI_MX_PORT: String(sinkPort),
    CHASQUI_MX_ALLOW_PRIVATE: 'true',
    CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
  };
  const start = async (more: Record<string, string>): Promise<ServiceUnderTest> =>
    keep(await startServiceUnderTest('api,submission,delivery', { ...env, ...more }));
  const cases: Case[] = [];
  const add = (one: Omit<Case, 'measured'>): void => void cases.push({ ...one, measured: [] });
  if (wants('plain')) {
    const service = await start({ NODE_OPTIONS: `--import=${freeSignatures} ${profiling}` });
    const task = await smtpTask(service, await addSendingDomain(service, { domain: 'plain.example' }));
    const load = async (messages: number) => await loadWithSmtp({ ...task, messages });
    add({
      key: 'plain',
      name: 'Chasqui, signatures for free',
      messages: plain_messages,
      load,
      pids: [service.pid],
    });
  }
  if (!wants('rsa') && !wants('three') && !wants('http')) return cases;
  const service = await start({ NODE_OPTIONS: profiling });
  const rsa = await addSendingDomain(service, { domain: 'two.example' });
  const three = await addSendingDomain(service, { domain: 'three.example', three_prime: true });
  const common = { messages: signed_messages, pids: [service.pid] };
  for (const [key, name, from] of [
    ['rsa', 'Chasqui, DKIM RSA-2048', rsa],
    ['three', 'Chasqui, DKIM RSA-2048 of three primes', three],
  ] as const) {
    const task = await smtpTask(service, from);
    if (wants(key)) {
      add({ ...common, key, name, load: async (messages) => await loadWithSmtp({ ...task, messages }) });
    }
  }
  if (wants('http')) {
    const load = async (requests: number) =>
      await run(process.execPath, [httpLoad, JSON.stringify({ ...httpTask(service, rsa), requests })]);
    add({ ...common, key: 'http', name: 'Chasqui, HTTP, 20 KB HTML with 30 links, DKIM RSA-2048', load });
  }
  return cases;
}

/** Unsigned, as is what it is held against. */
async function bareCase(sinkPort: number): Promise<Case[]> {
  if (!wants('bare')) return [];
  const { smtp_port, pid } = keep(await startBareMail({ relay_to: `${sink_host}:${sinkPort}` }));
  const task = {
    address: `127.0.0.1:${smtp_port}`,
    username: 'bare',
    password: 'bare',
    from: 'a@b.test',
    to: 'c@d.test',
    bytes,
    connections,
    reuse: true,
  };
  const load = async (messages: number) => await loadWithSmtp({ ...task, messages });
  return [{ key: 'bare', name: 'bare', messages: plain_messages, load, pids: [pid], measured: [] }];
}

async function peerCases(sinkPort: number): Promise<Case[]> {
  if (!havePostfix() || !haveOpenDkim()) return [];
  const relay_to = `${sink_host}:${sinkPort}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = { domain: 'b.test', key: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString() };
  const from = (port: number) => async (messages: number) =>
    await smtpSource(port, { messages, bytes, reuse: true });
  const cases: Case[] = [];
  if (wants('postfix')) {
    const { port, pid } = keep(await startPostfix({ relay_to }));
    const one = { key: 'postfix', name: 'postfix', messages: plain_messages };
    cases.push({ ...one, load: from(port), pids: [pid], measured: [] });
  }
  if (wants('haraka')) {
    const { port, pid } = keep(await startHaraka({ relay_to, workers: 2 }));
    const one = { key: 'haraka', name: 'Haraka, 2 workers', messages: plain_messages };
    cases.push({ ...one, load: from(port), pids: [pid], measured: [] });
  }
  if (wants('opendkim')) {
    const milter = keep(await startOpenDkim(dkim));
    const { port, pid } = keep(await startPostfix({ relay_to, milter: milter.address }));
    const one = { key: 'opendkim', name: 'postfix + OpenDKIM RSA-2048', messages: signed_messages };
    cases.push({ ...one, load: from(port), pids: [pid, milter.pid], measured: [] });
  }
  if (wants('haraka-dkim')) {
    const { port, pid } = keep(await startHaraka({ relay_to, dkim, workers: 2 }));
    const one = { key: 'haraka-dkim', name: 'Haraka, 2 workers, DKIM RSA-2048', messages: signed_messages };
    cases.push({ ...one, load: from(port), pids: [pid], measured: [] });
  }
  return cases;
}

function wants(key: string): boolean {
  return chosen.length === 0 || chosen.includes(key);
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Against the peers that do the same work: those that sign for those that sign. */
const peersOf: Record<string, string[]> = {
  bare: ['postfix', 'haraka'],
  plain: ['postfix', 'haraka', 'bare'],
  rsa: ['opendkim', 'haraka-dkim'],
  three: ['opendkim', 'haraka-dkim'],
  http: ['opendkim', 'haraka-dkim'],
};

function row(one: Case, all: Case[], signatures: number): string {
  const of = (key: keyof Round): number => median(one.measured.map((round) => round[key]));
  const ratios = (peersOf[one.key] ?? []).map((key) => {
    const peer = all.find((other) => other.key === key);
    if (!peer) return '';
    return median(
      one.measured.map(({ per_second }, index) => per_second / (peer.measured[index]?.per_second ?? 1)),
    ).toFixed(2);
  });
  const share = ['rsa', 'http'].includes(one.key)
    ? `${((of('per_second') / signatures) * 100).toFixed(0)} %`
    : '';
  const [postfix = '', haraka = '', bare = ''] = ratios;
  const cells = [of('per_second').toFixed(0), postfix, haraka, bare, share];
  const [first] = peersOf[one.key] ?? [];
  const times = [
    of('own_us').toFixed(0),
    of('others_us').toFixed(0),
    lessWork(
      one,
      all.find(({ key }) => key === first),
    ),
  ];
  return `| ${[one.name, ...cells, ...times].join(' | ')} |`;
}

/** How many times as much processor time the peer takes for a message. */
function lessWork(one: Case, peer: Case | undefined): string {
  if (!peer) return '';
  const timeOfRound = ({ own_us, others_us }: Round): number => own_us + others_us;
  return median(
    one.measured.map((round, index) => timeOfRound(peer.measured[index] ?? round) / timeOfRound(round)),
  ).toFixed(2);
}

/** RSA-2048 signatures a second that all cores make together, doing nothing else. */
async function rawSignatures(): Promise<number> {
  const { stdout } = await run('openssl', ['speed', '-seconds', '2', '-multi', '2', 'rsa2048']);
  return Number(/rsa\s+2048 bits\s+\S+\s+\S+\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

export async function benchDeliver(): Promise<void> {
  const sinkPort = await freePort();
  try {
    const cases = [
      ...(await peerCases(sinkPort)),
      ...(await bareCase(sinkPort)),
      ...(await ourCases(sinkPort)),
    ];
    for (const each of cases) await measure(each, sinkPort, Math.min(warm_up_messages, 2 * each.messages));
    const signatures: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      signatures.push(await rawSignatures());
      for (const each of cases) {
        await measure(each, sinkPort, Math.ceil(each.messages * run_up));
        each.measured.push(await measure(each, sinkPort));
      }
    }
    const raw = median(signatures);
    const lines = [
      `${rounds} rounds in turns, each after a third of one that does not count; medians. ${bytes} bytes a message over SMTP, ${connections} connections, sessions reused; from the first submission to the last 250 of the sink. Ratios are to the peers of the same round, those that sign for those that sign, and a bare server that does nothing but commit and pass on. All cores together make ${raw.toFixed(0)} RSA-2048 signatures a second (\`openssl speed -multi 2\`).`,
      '',
      '| | messages/s | × postfix | × Haraka | × bare | of the raw signatures | CPU µs/message, own process | below it | postfix takes × |',
      '|---|---|---|---|---|---|---|---|---|',
      ...cases.map((each) => row(each, cases, raw)),
    ];
    if (chosen.length === 0) keepResults('deliver', lines);
    console.log(lines.join('\n'));
  } finally {
    for (const part of parts.toReversed()) await part.stop();
  }
}
