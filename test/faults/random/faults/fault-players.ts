import { rm } from 'node:fs/promises';
import { setReadOnly } from '../../scenarios/read-only.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { kindManners, type ReceiverManners } from '../mail-receiver.ts';
import type { FaultKind, PlannedFault } from '../plan/plan-faults.ts';
import type { Random } from '../plan/prng.ts';
import type { RandomNode, Stage } from '../stage.ts';

interface Fault {
  planned: PlannedFault;
  node: RandomNode | undefined;
}

/** Begins a fault; what it gives ends it. */
type Player = (stage: Stage, fault: Fault) => Promise<() => Promise<void>> | (() => Promise<void>);

const endWithinMs = 90_000;
const clockJumpsSeconds = [-31 * 60, -90, -20, 20, 90, 31 * 60, 150 * 86_400];
const domain = 'shop.example.test';

export const faultPlayers: Record<FaultKind, Player> = {
  'kill node': onNode(async (node) => {
    await node.kill();
    return async () => await insist(node.start);
  }),
  'restart node': onNode(async (node) => {
    await node.stop();
    return async () => await insist(node.start);
  }),
  'freeze node': onNode((node) => {
    node.freeze();
    return async () => node.thaw();
  }),
  'cut answers': onNode(({ proxy }, { strength, random }) => {
    // Of commits many, or of all answers a few.
    const isCommit = (tag: string): boolean => /^(COPY|INSERT|UPDATE|DELETE|COMMIT)/.test(tag);
    proxy.rule =
      strength < 0.5
        ? { isCut: (tags) => tags.some(isCommit) && random.chance(0.25 + strength / 2) }
        : { isCut: () => random.chance(strength / 8) };
    return async () => void (proxy.rule = { isCut: () => false });
  }),
  'slow database': onNode(({ proxy }, { strength }) => {
    proxy.delay_ms = 20 + strength * 400;
    return async () => void (proxy.delay_ms = 0);
  }),
  partition: onNode(({ proxy }, { strength }) => {
    const release = proxy.hold();
    return async () => {
      if (strength < 0.5) proxy.cut();
      release();
    };
  }),
  'clock jump': onNode(async (node, { strength }) => {
    const seconds = clockJumpsSeconds[Math.floor(strength * clockJumpsSeconds.length)] ?? 0;
    await node.shiftClock(seconds * 1000);
    return async () => await node.shiftClock(0);
  }),
  async 'kill database'({ database }) {
    await database.kill();
    return async () => await database.start();
  },
  async 'stop database'({ database }) {
    await database.stop();
    return async () => await database.start();
  },
  async 'fail over'({ standby }) {
    await standby?.kill();
    return async () => void (await standby?.failOver());
  },
  async 'full disk'({ disk }) {
    const ballast = await disk?.fill();
    return async () => await rm(ballast ?? '', { force: true });
  },
  async 'read only'({ database }) {
    await insist(async () => await setReadOnly({ database }, true));
    return async () => await insist(async () => await setReadOnly({ database }, false));
  },
  'slow receivers': manners(({ strength }) => ({ recipient_delay_ms: 1_000 + strength * 6_000 })),
  'deferring receivers': manners(({ strength }) => ({ deferred_share: 0.2 + strength * 0.6 })),
  'cutting receivers': manners(({ strength }) => ({
    cut_share: 0.1 + strength * 0.3,
    closed_share: 0.1 + strength * 0.2,
  })),
  'failing webhooks'(stage, { planned: { strength } }) {
    stage.manners.failing_share = 0.3 + strength * 0.7;
    return async () => void (stage.manners.failing_share = 0);
  },
  async 'unverified domain'({ database }) {
    const set = async (status: string): Promise<void> =>
      await insist(
        async () =>
          void (await database.query('update domains set dkim_status = $1 where domain = $2', [
            status,
            domain,
          ])),
      );
    await set('failed');
    return async () => await set('verified');
  },
};

function onNode(
  play: (
    node: RandomNode,
    by: { strength: number; random: Random },
  ) => Promise<() => Promise<void>> | (() => Promise<void>),
): Player {
  return ({ random }, { node, planned }) => {
    if (!node) throw new Error('it needs a node');
    return play(node, { strength: planned.strength, random });
  };
}

function manners(change: (planned: PlannedFault) => Partial<ReceiverManners>): Player {
  return (stage, { planned }) => {
    const changed = change(planned);
    Object.assign(stage.manners, changed);
    const names = Object.keys(changed) as (keyof ReceiverManners)[];
    return async () => {
      for (const name of names) stage.manners[name] = kindManners[name];
    };
  };
}

/** Again and again: another fault may be in its way for a while. */
async function insist(act: () => Promise<void>): Promise<void> {
  let last: Error | undefined;
  const attempt = async (): Promise<boolean> =>
    await act().then(
      () => true,
      (error: Error) => {
        last = error;
        return false;
      },
    );
  await waitFor(attempt, { timeout_ms: endWithinMs, interval_ms: 300, what: () => `${last?.message}` });
}
