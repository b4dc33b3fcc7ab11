import { startBareMail, type BareMail } from './support/bare-mail.ts';
import type { Task } from './support/http-load.ts';
import { loadWithNode } from './support/http-load-process.ts';
import { havePostfix, smtpSource, startPostfix, type Postfix } from './support/postfix.ts';
import { processorTime } from './support/processor-time.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { haveCompiler } from './support/compile.ts';
import { loadWithSmtp, type SmtpTask } from './support/smtp-load.ts';
import { targetOf } from './support/targets.ts';
import { haveWrk, loadWithWrk } from './support/wrk.ts';

/**
 * Durable accept: 3 KB of JSON over HTTP and the same amount over SMTP submission, answered after the commit, everything
 * on, beside postfix taking the same amount into its queue, and beside the least that Node and PostgreSQL can be made to
 * do it with, which tells what this machine has to give. Rounds alternate, so that all see the same machine. Needs
 * Debian's postfix and wrk for the peer and for a load tool that leaves the processor alone.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 4);
const connections = 64;
const bytes = 3000;
/** Of a round over SMTP, some seconds' worth. */
const messages = { reused: 12_000, fresh: 6_000 };
/** As the service comes: with two processors for it and PostgreSQL, a second thread makes batches smaller and gains nothing. */
const threads = Number(process.env['THREADS'] ?? 1);
/** Rounds until what runs in Node is compiled: in its first 10,000 messages one takes half as much again. */
const warm_up = 2;
/**
 * Of a round, what comes before it uncounted: what is meant is mail that keeps coming. Ten seconds without any, while the
 * others have their turn, and V8 has thrown away enough for two seconds of twice the work.
 */
const run_up = 0.5;

interface Measured {
  per_second: number;
  p50_ms?: number;
  p99_ms?: number;
  messages: number;
}

interface Round extends Measured {
  /** Processor time a message: of the process itself, and with all below it (PostgreSQL; postfix's many). */
  own_us: number;
  all_us: number;
}

interface Target {
  pid: number;
  http: Pick<Task, 'base_url' | 'headers'>;
  smtp: Pick<SmtpTask, 'address' | 'username' | 'password'>;
  sender: string;
}

async function ourTarget(service: ServiceUnderTest): Promise<Target> {
  const options = ['--instance', service.slug, '--name', 'bench'];
  const credential = await service.command('smtp-credential', 'create', ...options);
  return {
    pid: service.pid,
    http: {
      base_url: service.base_url,
      headers: { authorization: `Bearer ${service.api_key}`, 'x-instance-slug': service.slug },
    },
    smtp: {
      address: service.submission.starttls,
      username: String(credential['username']),
      password: String(credential['password']),
    },
    sender: `test@${service.slug}.sandbox.test`,
  };
}

function bareTarget({ pid, http_port, smtp_port }: BareMail): Target {
  return {
    pid,
    http: { base_url: `http://127.0.0.1:${http_port}`, headers: {} },
    smtp: { address: `127.0.0.1:${smtp_port}`, username: 'bare', password: 'bare' },
    sender: 'test@bare.test',
  };
}

async function loadHttp({ http, sender }: Target, recipients: number, share: number): Promise<Measured> {
  // wrk takes whole seconds.
  const duration = Math.ceil(seconds * share);
  const task: Task = {
    base_url: http.base_url,
    path: '/v1/mails/send',
    headers: { ...http.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      sender_email: sender,
      to: Array.from({ length: recipients }, (_, index) => ({ email: `r${index}@sandbox.test` })),
      subject: 'Benchmark',
      html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
    }),
    connections,
    seconds: duration,
  };
  const result = haveWrk() ? await loadWithWrk(task, duration) : await loadWithNode(task);
  if (result.failures > 0) throw new Error(`${result.failures} sends were refused`);
  return { ...result, messages: result.per_second * duration };
}

async function loadSmtp({ smtp, sender }: Target, reuse: boolean, share: number): Promise<Measured> {
  const task: SmtpTask = {
    ...smtp,
    from: sender,
    to: 'delivered@sandbox.test',
    bytes,
    connections: 20,
    messages: (reuse ? messages.reused : messages.fresh) * share,
    reuse,
  };
  const { per_second } = await loadWithSmtp(task);
  return { per_second, messages: task.messages };
}

async function loadPostfix({ port }: Postfix, reuse: boolean, share: number): Promise<Measured> {
  const count = (reuse ? messages.reused / 2 : messages.fresh) * share;
  return { per_second: await smtpSource(port, { messages: count, bytes, reuse }), messages: count };
}

/** Who does the same. */
interface Peers {
  postfix?: Case | undefined;
  bare?: Case | undefined;
}

interface Case extends Peers {
  name: string;
  pid: number;
  /** A round, or a share of one. */
  load: (share: number) => Promise<Measured>;
  measured: Round[];
}

async function run({ pid, load }: Case, share: number): Promise<Round> {
  await load(run_up * share);
  const before = processorTime(pid);
  const measured = await load(share);
  const after = processorTime(pid);
  const own_us = (after.own_us - before.own_us) / measured.messages;
  return { ...measured, own_us, all_us: own_us + (after.others_us - before.others_us) / measured.messages };
}

function casesOf(ours: Target, bare: Target, postfix: Postfix | undefined): Case[] {
  const cases: Case[] = [];
  const add = ({ by, ...one }: Omit<Case, 'pid' | 'measured'> & { by: { pid: number } }): Case => {
    const added = { ...one, pid: by.pid, measured: [] };
    cases.push(added);
    return added;
  };
  const peer = (name: string, reuse: boolean): Case | undefined =>
    postfix && add({ name, by: postfix, load: async (share) => await loadPostfix(postfix, reuse, share) });
  const addHttp = (name: string, by: Target, peers: Peers): Case =>
    add({ name, by, load: async (share) => await loadHttp(by, 1, share), ...peers });
  const addSmtp = (name: string, { by, reuse }: { by: Target; reuse: boolean }, peers: Peers): Case =>
    add({ name, by, load: async (share) => await loadSmtp(by, reuse, share), ...peers });

  const reused = { postfix: peer('postfix, sessions reused', true) };
  const fresh = { postfix: peer('postfix, new session each', false) };
  const http = `HTTP, 1 recipient, ${connections} connections`;
  const least = {
    http: addHttp(`bare, ${http}`, bare, reused),
    reused: addSmtp('bare, SMTP, sessions reused', { by: bare, reuse: true }, reused),
    fresh: addSmtp('bare, SMTP, new session each', { by: bare, reuse: false }, fresh),
  };
  addHttp(http, ours, { ...reused, bare: least.http });
  add({
    name: `HTTP, 10 recipients, ${connections} connections`,
    by: ours,
    load: async (share) => await loadHttp(ours, 10, share),
    ...reused,
  });
  addSmtp('SMTP submission, sessions reused', { by: ours, reuse: true }, { ...reused, bare: least.reused });
  addSmtp('SMTP submission, new session each', { by: ours, reuse: false }, { ...fresh, bare: least.fresh });
  return cases;
}

function row({ name, measured, postfix, bare }: Case): string {
  const cell = (key: keyof Round, digits: number): string => {
    const values = measured.flatMap((round) => round[key] ?? []);
    return values.length === 0 ? '' : median(values).toFixed(digits);
  };
  const against = (peer: Case | undefined, ratio: (ours: Round, theirs: Round) => number): string =>
    peer
      ? median(measured.map((round, index) => ratio(round, peer.measured[index] ?? round))).toFixed(2)
      : '';
  const rates = [postfix, bare].map((peer) => against(peer, (a, b) => a.per_second / b.per_second));
  const cells = [cell('per_second', 0), ...rates, cell('p50_ms', 1), cell('p99_ms', 1)];
  const work = [cell('own_us', 0), cell('all_us', 0), against(postfix, (a, b) => b.all_us / a.all_us)];
  return `| ${[name, ...cells, ...work, targetOf('accept', name)].join(' | ')} |`;
}

/** Rounds in turns, until each of the cases has so many. */
async function measureCases(
  { count, warm, share }: { count: number; warm: number; share: number },
  peers: { with_postfix: boolean; wants: (one: Case) => boolean },
): Promise<Case[]> {
  // Without delivery, as postfix only holds what it takes.
  const service = await startServiceUnderTest('api,submission', {
    CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
    CHASQUI_THREADS: String(threads),
  });
  const postfix = peers.with_postfix && havePostfix() ? await startPostfix() : undefined;
  const bare = await startBareMail();
  try {
    const cases = casesOf(await ourTarget(service), bareTarget(bare), postfix).filter(peers.wants);
    for (let round = 0; round < warm; round += 1) for (const each of cases) await run(each, share);
    for (let round = 0; round < count; round += 1)
      for (const each of cases) each.measured.push(await run(each, share));
    return cases;
  } finally {
    postfix?.stop();
    await bare.stop();
    await service.stop();
  }
}

/** For `quick`: what accepting reaches of the bare server. */
export async function acceptShares(): Promise<Share[]> {
  const wants = ({ name }: Case): boolean => !name.includes('10 recipients');
  const cases = await measureCases({ count: 3, warm: 1, share: 0.4 }, { with_postfix: false, wants });
  return cases.flatMap(({ name, measured, bare }) =>
    bare
      ? [
          {
            name: `accept, ${name}`,
            target: name.includes('new session') ? 0.6 : 0.7,
            rounds: measured.map((ours, index) => ({ ours, bare: bare.measured[index] ?? ours })),
          },
        ]
      : [],
  );
}

export async function benchAccept(): Promise<void> {
  const all = { with_postfix: true, wants: () => true };
  const cases = await measureCases({ count: rounds, warm: warm_up, share: 1 }, all);
  const lines = [
    `${rounds} rounds in turns, each after half of one that does not count; medians. ${bytes} bytes per message; the ratios are to those of the same round: to postfix (HTTP to its reused sessions), and to a bare server that does nothing but commit. Processor time is that of the own process and of all with those below it, and how many times as much postfix takes; rates move with what else the machine does, this hardly. ${threads} ${threads === 1 ? 'thread takes' : 'threads take'} it in. Load tools: ${haveWrk() ? 'wrk' : 'Node'} and ${haveCompiler() ? 'C' : 'Node'}.`,
    '',
    '| | messages/s | × postfix | × bare | p50 ms | p99 ms | CPU µs/message, own process | all | postfix takes × | target |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...cases.map(row),
  ];
  keepResults('accept', lines);
  console.log(lines.join('\n'));
}
