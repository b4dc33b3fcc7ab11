import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabaseProxy, type DatabaseProxy } from '../bed/database-proxy.ts';
import { makeFaultBed, type FaultBed } from '../bed/fault-bed.ts';
import { ownDatabase, type FaultDatabase } from '../bed/fault-database.ts';
import type { FaultNode } from '../bed/fault-node.ts';
import { replicatedDatabase, type ReplicatedDatabase } from '../bed/replicated-database.ts';
import { mountSmallDisk, type SmallDisk } from '../bed/small-disk.ts';
import { prepareAccount, type Account } from './account.ts';
import { createHistory, type History } from './history.ts';
import { kindManners, startMailReceiver, type ReceiverManners } from './mail-receiver.ts';
import type { Plan } from './plan/plan.ts';
import { createRandom, type Random } from './plan/prng.ts';
import { startWebhookReceiver, type WebhookManners } from './webhook-receivers.ts';

/** A node with what faults of its own need. */
export interface RandomNode extends FaultNode {
  roles: string[];
  proxy: DatabaseProxy;
  /** By so much its wall clock is wrong from now on. */
  shiftClock(ms: number): Promise<void>;
}

/** Everything that runs while a plan is carried out. */
export interface Stage {
  plan: Plan;
  bed: FaultBed;
  account: Account;
  database: FaultDatabase;
  standby: ReplicatedDatabase | undefined;
  disk: SmallDisk | undefined;
  nodes: RandomNode[];
  /** When the plan began to be carried out. */
  began_at: number;
  history: History;
  manners: ReceiverManners & WebhookManners;
  /** For what is decided while it runs. */
  random: Random;
}

interface StageOptions {
  code: string;
  after: (cleanup: () => Promise<void>) => void;
}

const diskMegabytes = 220;
const shiftedClock = path.resolve(import.meta.dirname, '../bed/shifted-clock.ts');
/** Short enough that a node is taken for dead, and its work done by others, while the plan lasts. */
const settings = {
  CHASQUI_NODE_DEAD_SECONDS: '8',
  CHASQUI_DELIVERY_LEASE_SECONDS: '240',
  CHASQUI_MX_TIMEOUT_SECONDS: '30',
  CHASQUI_TRUST_PROXY: 'true',
};

export async function setStage(plan: Plan, { code, after }: StageOptions): Promise<Stage> {
  const history = createHistory();
  const random = createRandom(`seed ${plan.seed} as it runs`);
  const manners = { ...kindManners, failing_share: 0 };
  const { database, standby, disk } = await openDatabase(plan, after);
  const bed = await makeFaultBed({ code, database });
  after(bed.stop);
  const hookUrls: Record<string, string> = {};
  for (const hook of ['steady', 'moody']) {
    const receiver = await startWebhookReceiver(hook, { history, manners, random: random.fork(hook) });
    after(receiver.stop);
    hookUrls[hook] = receiver.url;
  }
  const account = await prepareAccount(bed);
  const stage: Stage = {
    plan,
    bed,
    account,
    database,
    standby,
    disk,
    nodes: [],
    began_at: 0,
    history,
    manners,
    random: random.fork('workload'),
  };
  const put_off = new Set<string>();
  for (const roles of plan.nodes) {
    const openSink = async (name: string) =>
      await startMailReceiver(name, { history, manners, put_off, random: random.fork(name) });
    stage.nodes.push(await startNode(stage, { roles, after, openSink }));
  }
  for (const [name, url] of Object.entries(hookUrls)) account.hooks[name] = await makeHook(stage, name, url);
  return stage;
}

async function makeHook({ nodes, account }: Stage, name: string, url: string): Promise<number> {
  const response = await fetch(`${nodes[0]?.base_url}/v1/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.api_key}`,
      'x-instance-slug': account.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name, url }),
  });
  const { id } = (await response.json()) as { id?: number };
  if (id === undefined) throw new Error(`webhook ${name}: ${response.status}`);
  return id;
}

async function openDatabase(
  { database: kind }: Plan,
  after: StageOptions['after'],
): Promise<Pick<Stage, 'database' | 'standby' | 'disk'>> {
  if (kind === 'with a standby') {
    const standby = await replicatedDatabase();
    return { database: standby, standby, disk: undefined };
  }
  const disk = kind === 'small disk' ? await mountSmallDisk(diskMegabytes) : undefined;
  if (disk) after(disk.unmount);
  const database = await ownDatabase({
    settings: { fsync: 'off' },
    ...(disk ? { tablespace: disk.folder } : {}),
  });
  return { database, standby: undefined, disk };
}

interface NodeStart extends Pick<StageOptions, 'after'> {
  roles: string;
  openSink: NonNullable<Parameters<FaultBed['startNode']>[1]>['openSink'];
}

async function startNode(stage: Stage, { roles, after, openSink }: NodeStart): Promise<RandomNode> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-clock-'));
  after(async () => await rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'shift');
  await writeFile(file, '0');
  const proxy = await startDatabaseProxy(stage.database.connection);
  after(async () => await proxy.stop());
  const env = {
    ...settings,
    DATABASE_URL: proxy.url,
    NODE_OPTIONS: `--import=${shiftedClock}`,
    FAULTS_CLOCK_SHIFT_FILE: file,
  };
  const node = await stage.bed.startNode(roles, { env, ...(openSink ? { openSink } : {}) });
  return Object.assign(node, {
    roles: roles.split(','),
    proxy,
    shiftClock: async (ms: number) => await writeFile(file, String(ms)),
  });
}
