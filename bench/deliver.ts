import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  connections,
  measureDelivery,
  Parts,
  smallBytes,
  type Case,
  type DeliverRun,
  type Round,
} from './support/deliver-case.ts';
import { peerCases } from './support/deliver-peers.ts';
import { bareCases, ourCases } from './support/deliver-services.ts';
import { freePort } from './support/postfix.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { targetOf } from './support/targets.ts';

/**
 * End to end: from the first submission to the last 250 of a sink, all on this machine, beside postfix, postfix with
 * OpenDKIM and Haraka, and beside the least that Node and PostgreSQL can be made to do it with. Rounds alternate, so that
 * all see the same machine. Peers need Debian's postfix and opendkim, and Haraka is fetched from npm into a cache on first
 * use; load tool and sink a C compiler. CASES=small,postfix runs some of them.
 */
const rounds = Number(process.env['ROUNDS'] ?? 3);
const chosen = (process.env['CASES'] ?? '').split(',').filter(Boolean);
const given = Number(process.env['MESSAGES']) || undefined;
const messages = { plain: given ?? 10_000, signed: given ?? 5_000, large: given ?? 2_000 };
/** Until what runs in Node is compiled: in its first 10,000 messages one takes half as much again. */
const warmUpMessages = 10_000;
/** Of a round, what comes before it uncounted: what is meant is mail that keeps coming (`accept.ts`). */
const runUp = 0.3;

/** Against the peers that do the same work: those that sign for those that sign. */
const peersOf: Record<string, { postfix?: string; haraka?: string; bare?: string }> = {
  bare: { postfix: 'postfix', haraka: 'haraka' },
  'bare-large': { postfix: 'postfix-large' },
  'free-small': { postfix: 'postfix', haraka: 'haraka', bare: 'bare' },
  'free-large': { postfix: 'postfix-large', bare: 'bare-large' },
  small: { postfix: 'opendkim', haraka: 'haraka-dkim' },
  // The peers do not sign mail of this size here: against postfix without signatures.
  large: { postfix: 'postfix-large' },
  rich: { postfix: 'opendkim', haraka: 'haraka-dkim' },
};

function row(one: Case, all: Case[]): string {
  const of = (key: keyof Round): number => median(one.measured.map((round) => round[key]));
  const peers = peersOf[one.key] ?? {};
  const peer = (key: string | undefined): Case | undefined => all.find((other) => other.key === key);
  const ratio = (key: string | undefined): string => {
    const other = peer(key);
    if (!other) return '';
    return median(
      one.measured.map(({ per_second }, index) => per_second / (other.measured[index]?.per_second ?? 1)),
    ).toFixed(2);
  };
  const ratios = [ratio(peers.postfix), ratio(peers.haraka), ratio(peers.bare)];
  const times = [of('own_us').toFixed(0), of('others_us').toFixed(0), lessWork(one, peer(peers.postfix))];
  return `| ${[one.name, of('per_second').toFixed(0), ...ratios, ...times, targetOf('deliver', one.key)].join(' | ')} |`;
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
  const { stdout } = await promisify(execFile)('openssl', [
    'speed',
    '-seconds',
    '2',
    '-multi',
    '2',
    'rsa2048',
  ]);
  return Number(/rsa\s+2048 bits\s+\S+\s+\S+\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

/** Runs the cases in turns and gives them with what was measured. */
async function measureCases(
  { rounds: count, warm_up }: { rounds: number; warm_up: number },
  casesOf: (run: DeliverRun) => Promise<Case[]>,
  options: Pick<DeliverRun, 'messages' | 'wants'>,
): Promise<Case[]> {
  const parts = new Parts();
  const sink_port = await freePort();
  try {
    const cases = await casesOf({ parts, sink_port, ...options });
    for (const each of cases) await measureDelivery(each, sink_port, Math.min(warm_up, 2 * each.messages));
    for (let round = 0; round < count; round += 1) {
      for (const each of cases) {
        await measureDelivery(each, sink_port, Math.ceil(each.messages * runUp));
        each.measured.push(await measureDelivery(each, sink_port, each.messages));
      }
    }
    return cases;
  } finally {
    await parts.stop();
  }
}

/** For `quick`: what delivery without signatures reaches of the bare server. */
export async function deliverShares(): Promise<Share[]> {
  const keys = new Set(['bare', 'bare-large', 'free-small', 'free-large']);
  const cases = await measureCases(
    { rounds: 2, warm_up: 3_000 },
    async (run) => [...(await bareCases(run)), ...(await ourCases(run))],
    { messages: { plain: 3_000, signed: 1_000, large: 600 }, wants: (key) => keys.has(key) },
  );
  const share = (name: string, key: string, target: number): Share => {
    const of = (wanted: string): Round[] => cases.find((one) => one.key === wanted)?.measured ?? [];
    const bare = of(peersOf[key]?.bare ?? '');
    return { name, target, rounds: of(key).map((ours, index) => ({ ours, bare: bare[index] ?? ours })) };
  };
  return [share('deliver, 4 KB', 'free-small', 0.5), share('deliver, 100 KB', 'free-large', 0.5)];
}

export async function benchDeliver(): Promise<void> {
  const cases = await measureCases(
    { rounds, warm_up: warmUpMessages },
    async (run) => [...(await peerCases(run)), ...(await bareCases(run)), ...(await ourCases(run))],
    { messages, wants: (key) => chosen.length === 0 || chosen.includes(key) },
  );
  const raw = await rawSignatures();
  const lines = [
    `${rounds} rounds in turns, each after a third of one that does not count; medians. ${smallBytes} bytes a message over SMTP unless said, ${connections} connections, sessions reused; from the first submission to the last 250 of the sink. Ratios are to the peers of the same round, those that sign for those that sign, except for 100 KB, and a bare server that does nothing but commit and pass on. One RSA-2048 signature takes ${(2e6 / raw).toFixed(0)} µs of a core (\`openssl speed\`).`,
    '',
    '| | messages/s | × postfix | × Haraka | × bare | CPU µs/message, own process | below it | postfix takes × | target |',
    '|---|---|---|---|---|---|---|---|---|',
    ...cases.map((each) => row(each, cases)),
  ];
  if (chosen.length === 0) keepResults('deliver', lines);
  console.log(lines.join('\n'));
}
