import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { this_code, type FaultBed } from '../bed/fault-bed.ts';
import { becomesQuiet, examine, heal_within_ms, healedAfter } from '../bed/findings.ts';
import { acknowledged } from '../bed/ledger.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

const roles = 'api,web,submission,delivery,jobs,webhooks';
/** The schema of the last release, where no tag says otherwise. */
const last_release = 'c59cd5d';

/** Old nodes under load, then old and new ones side by side on the new schema, then new ones alone. */
export const upgrade: Scenario = {
  name: 'upgrade',
  about: 'a rolling upgrade from an earlier commit, under load',
  options: { seconds: 20, per_second: 30 },
  needs_server: false,
  unavailable(from) {
    try {
      git('rev-parse', '--verify', '--quiet', `${earlier(from)}^{commit}`);
      return undefined;
    } catch {
      return `there is no commit ${earlier(from)} in this repository`;
    }
  },
  async play({ open, after, code, from, options: { seconds: duration = 1, per_second = 1 }, note }) {
    const old_code = unpack(earlier(from));
    after(async () => await rm(old_code, { recursive: true, force: true }));
    const bed = await open({ first_code: old_code });
    const old = [
      await bed.startNode(roles, { code: old_code }),
      await bed.startNode(roles, { code: old_code }),
    ];
    let load = startLoad(bed, { nodes: old, per_second });
    await sleep(duration * 1_000);
    const before = await migrations(bed);
    const fresh = await bed.startNode(roles);
    note(`${before} migrations before the first new node, ${await migrations(bed)} after it`);
    await load.stop();
    load = startLoad(bed, { nodes: [...old, fresh], per_second });
    await sleep(duration * 1_000);
    await load.stop();
    for (const node of old) await node.stop();
    const second = await bed.startNode(roles, { code });
    load = startLoad(bed, { nodes: [fresh, second], per_second });
    const healed_ms = await healedAfter(bed, Date.now(), [fresh, second]);
    await sleep(duration * 1_000);
    await load.stop();
    await becomesQuiet(bed, 2 * heal_within_ms);
    return { findings: await examine(bed, healed_ms), troubles: await miscounts(bed) };
  },
};

function earlier(from: string | undefined): string {
  if (from !== undefined) return from;
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    return last_release;
  }
}

function git(...words: string[]): string {
  return execFileSync('git', ['-C', this_code, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** That commit in a folder of its own, with the dependencies of this checkout. */
function unpack(ref: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-old-'));
  chmodSync(folder, 0o755);
  const archive = execFileSync('git', ['-C', this_code, 'archive', ref], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.join(this_code, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

async function migrations({ database }: FaultBed): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::int as count from schema_migrations',
  );
  return row?.count ?? 0;
}

/** Lists and statistics show what was stored, whoever wrote it, and `doctor` agrees. */
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
