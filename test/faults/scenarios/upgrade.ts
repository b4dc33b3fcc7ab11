import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { thisCode, type FaultBed } from '../bed/fault-bed.ts';
import type { FaultNode } from '../bed/fault-node.ts';
import { becomesQuiet, examine, healWithinMs, healedAfter } from '../bed/findings.ts';
import { acknowledged } from '../bed/ledger.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

const roles = 'api,web,submission,delivery,jobs,webhooks';
/** 0.2.0, where no tag says otherwise. */
const lastRelease = '38dbae2';

/** Old nodes under load, then old and new ones side by side on the new schema, then only new ones. */
export const upgrade: Scenario = {
  name: 'upgrade',
  about: 'a rolling upgrade from the last release, under load, and an attempt to go back',
  options: { nodes: 2, seconds: 20, per_second: 30 },
  short: { nodes: 1, seconds: 1 },
  needs_server: false,
  unavailable(from) {
    try {
      git('rev-parse', '--verify', '--quiet', `${earlier(from)}^{commit}`);
      return undefined;
    } catch {
      return `there is no commit ${earlier(from)} in this repository`;
    }
  },
  async play({ open, after, from, options: { nodes = 1, seconds: duration = 1, per_second = 1 }, note }) {
    const oldCode = unpack(earlier(from));
    after(async () => await rm(oldCode, { recursive: true, force: true }));
    const bed = await open({ first_code: oldCode });
    const old = await startNodes(bed, nodes, oldCode);
    let load = startLoad(bed, { nodes: old, per_second });
    await sleep(duration * 1_000);
    const before = await migrations(bed);
    const fresh = await startNodes(bed, 1);
    note(`${before} migrations before the first new node, ${await migrations(bed)} after it`);
    await load.stop();
    load = startLoad(bed, { nodes: [...old, ...fresh], per_second });
    await sleep(duration * 1_000);
    await load.stop();
    for (const node of old) await node.stop();
    const goneBack = await refusedDowngrade(bed, old[0]);
    fresh.push(...(await startNodes(bed, nodes - 1)));
    load = startLoad(bed, { nodes: fresh, per_second });
    const healed_ms = await healedAfter(bed, Date.now(), fresh);
    await sleep(duration * 1_000);
    await load.stop();
    await becomesQuiet(bed, 2 * healWithinMs);
    return { findings: await examine(bed, healed_ms), problems: [...goneBack, ...(await miscounts(bed))] };
  },
};

async function startNodes(bed: FaultBed, count: number, code?: string): Promise<FaultNode[]> {
  const nodes: FaultNode[] = [];
  while (nodes.length < count) nodes.push(await bed.startNode(roles, code === undefined ? {} : { code }));
  return nodes;
}

/** The older code must not start on the newer schema, must say why, and must change nothing. */
async function refusedDowngrade(bed: FaultBed, old: FaultNode | undefined): Promise<string[]> {
  const before = await migrations(bed);
  const words = await old?.start().then(
    () => 'it started',
    (error: Error) => error.message,
  );
  const isClear = /which this version does not know: it was used by a newer version/.test(words ?? '');
  return [
    ...(isClear ? [] : [`the older version on the newer schema: ${words}`]),
    ...((await migrations(bed)) === before ? [] : ['a refused start changed the migrations']),
  ];
}

function earlier(from: string | undefined): string {
  if (from !== undefined) return from;
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    return lastRelease;
  }
}

function git(...words: string[]): string {
  return execFileSync('git', ['-C', thisCode, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** That commit in a folder of its own, with the dependencies of this checkout. */
function unpack(ref: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-old-'));
  chmodSync(folder, 0o755);
  const archive = execFileSync('git', ['-C', thisCode, 'archive', ref], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.join(thisCode, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

async function migrations({ database }: FaultBed): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::int as count from schema_migrations',
  );
  return row?.count ?? 0;
}

/** Lists and statistics show what was stored by old and new nodes, and `doctor` agrees. */
async function miscounts(bed: FaultBed): Promise<string[]> {
  const [row] = await bed.database.query<{ count: number }>('select count(*)::int as count from mails');
  const stored = row?.count ?? 0;
  const kept = acknowledged(bed.ledger).length;
  const list = await ask(bed, '/v1/mails?page_size=1');
  const stats = await ask(bed, '/v1/stats/overview');
  const { findings } = await bed.doctor();
  const counts: [what: string, count: unknown][] = [
    ['the list', list['pagination']?.['total_items']],
    ['the statistics (received)', stats['totals']?.['received']],
    ['the statistics (sent)', stats['totals']?.['sent']],
  ];
  return [
    ...(stored >= kept ? [] : [`${stored} mails are stored, ${kept} were acknowledged`]),
    ...counts
      .filter(([, count]) => count !== stored)
      .map(([what, count]) => `${what} has ${String(count)} of ${stored} mails`),
    ...findings.filter(({ ok }) => !ok).map(({ check, detail }) => `doctor: ${check}: ${detail}`),
  ];
}

async function ask(
  { nodes, caller }: FaultBed,
  address: string,
): Promise<Record<string, Record<string, unknown> | undefined>> {
  const headers = { authorization: `Bearer ${caller.api_key}`, 'x-instance-slug': caller.slug };
  const response = await fetch(`${nodes.at(-1)?.base_url}${address}`, { headers });
  return (await response.json()) as Record<string, Record<string, unknown> | undefined>;
}
