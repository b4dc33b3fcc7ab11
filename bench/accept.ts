import {
  bareTarget,
  httpConnections as connections,
  loadHttp,
  loadSmtp,
  measureRound,
  message_bytes as bytes,
  messagesARound as messages,
  ourTarget,
  type Measured,
  type Round,
  type Target,
} from './support/accept-load.ts';
import { startBareMail } from './support/bare-mail.ts';
import { havePostfix, smtpSource, startPostfix, type Postfix } from './support/postfix.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';
import { haveCompiler } from './support/compile.ts';
import { targetOf } from './support/targets.ts';
import { haveWrk } from './support/wrk.ts';

/**
 * Durable accept: 3 KB of JSON over HTTP and the same amount over SMTP submission, answered after the commit, everything
 * on, beside postfix taking the same amount into its queue, and beside the least that Node and PostgreSQL can be made to
 * do it with, which tells what this machine has to give. Rounds alternate, so that all see the same machine. Needs
 * Debian's postfix and wrk for the peer and for a load tool that takes little processor time.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
/** As the service comes: with two processors for it and PostgreSQL, a second thread makes batches smaller and gains nothing. */
const threads = Number(process.env['THREADS'] ?? 1);
/** Rounds until what runs in Node is compiled: in its first 10,000 messages one takes half as much again. */
const warm_up = 2;

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
    for (let round = 0; round < warm; round += 1) for (const each of cases) await measureRound(each, share);
    for (let round = 0; round < count; round += 1)
      for (const each of cases) each.measured.push(await measureRound(each, share));
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
