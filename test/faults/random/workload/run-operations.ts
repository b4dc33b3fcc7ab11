import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedOperation } from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';
import { sendBatch } from './batch.ts';
import { call } from './call.ts';
import { changeMessage } from './change-message.ts';
import { consent, exerciseRight, fillIn, lift, react } from './people.ts';
import { send } from './send.ts';

/** So many wait for an answer at one time; what comes then is left out. */
const mostWaiting = 150;

/** Each operation at its time, whether those before it were answered or not. */
export async function runOperations(stage: Stage): Promise<{ left_out: number }> {
  const waiting = new Set<Promise<void>>();
  let left_out = 0;
  for (const planned of stage.plan.operations) {
    await sleep(Math.max(0, stage.began_at + planned.at_ms - Date.now()));
    if (waiting.size >= mostWaiting) {
      left_out += 1;
      continue;
    }
    const running = perform(stage, planned);
    waiting.add(running);
    void running.finally(() => waiting.delete(running));
  }
  await Promise.all(waiting);
  return { left_out };
}

async function perform(stage: Stage, planned: PlannedOperation): Promise<void> {
  const node = nodeFor(stage, planned);
  switch (planned.kind) {
    case 'send':
      return await send(stage, planned, inTurn(nodesFor(stage, planned), planned));
    case 'batch':
      return await sendBatch(stage, planned, inTurn(nodesFor(stage, planned), planned));
    case 'consent':
      return await consent(stage, planned, node);
    case 'erasure':
    case 'blocking':
    case 'opposition':
      return await exerciseRight(stage, planned, node);
    case 'lift':
      return await lift(stage, planned, node);
    case 'form':
      return await fillIn(stage, planned, node);
    case 'pause webhook':
    case 'resume webhook':
      return await switchWebhook(stage, planned, node);
    case 'cancel':
    case 'reschedule':
      return await changeMessage(stage, planned, node);
    case 'read':
      return await read(stage, planned, node);
    case 'unsubscribe':
    case 'resubscribe':
    case 'complain':
    case 'open':
    case 'click':
      return await react(stage, planned, node);
  }
}

/** Those that have what the operation needs. */
function nodesFor({ nodes }: Stage, { kind }: PlannedOperation): RandomNode[] {
  const role = kind === 'send' ? 'submission' : 'web';
  return nodes.filter(({ roles }) => roles.includes('api') && roles.includes(role));
}

/** The one that was drawn first. */
function inTurn(nodes: RandomNode[], { at_node }: PlannedOperation): RandomNode[] {
  const first = at_node % nodes.length;
  return [...nodes.slice(first), ...nodes.slice(0, first)];
}

function nodeFor(stage: Stage, planned: PlannedOperation): RandomNode {
  const [node] = inTurn(nodesFor(stage, planned), planned);
  if (!node) throw new Error(`no node for ${planned.kind}`);
  return node;
}

async function switchWebhook(
  stage: Stage,
  { id, kind }: Pick<PlannedOperation, 'id' | 'kind'>,
  node: RandomNode,
): Promise<void> {
  await call(stage, {
    id,
    kind,
    node,
    request: {},
    method: 'PATCH',
    path: `/v1/webhooks/${stage.account.hooks['moody']}`,
    body: { is_active: kind === 'resume webhook' },
  });
}

async function read(stage: Stage, { id, of }: { id: string; of: string }, node: RandomNode): Promise<void> {
  await call(stage, {
    id,
    kind: 'read',
    node,
    method: 'GET',
    path: `/v1/mails?custom_msg_id=${of}&page_size=50`,
    request: { custom_msg_id: of },
  });
}
