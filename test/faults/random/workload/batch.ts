import type { PlannedBatch } from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';
import { askAgain } from './ask-again.ts';
import { call, type Call } from './call.ts';
import { bodyOf, keyHeader, requestOf } from './mail-body.ts';

export async function sendBatch(stage: Stage, planned: PlannedBatch, nodes: RandomNode[]): Promise<void> {
  const called = callOf(stage, planned);
  await askAgain(stage, {
    planned,
    nodes,
    ask: async (node, leaves_after_ms) => await call(stage, { ...called, node, leaves_after_ms }),
    misuse: async (node) => {
      const { body } = callOf(stage, { ...planned, id: `${planned.id}x` });
      await call(stage, { ...called, kind: 'misuse', node, body });
    },
  });
}

function callOf(stage: Stage, planned: PlannedBatch): Omit<Call, 'node'> & { body: object } {
  const { id, mails, on_error, key } = planned;
  const nameOf = (index: number): string => `${id}.${index}`;
  const items = mails.map((mail, index) => requestOf(stage, nameOf(index), mail));
  const refused = mails.flatMap(({ is_wrong }, index) => (is_wrong ? [nameOf(index)] : []));
  return {
    id,
    kind: 'batch',
    request: { items, refused, action: on_error, is_keyed: key !== undefined },
    method: 'POST',
    path: '/v1/mails/batch',
    headers: keyHeader(planned),
    body: {
      on_error,
      mails: mails.map((mail, index) => ({
        ...bodyOf(stage, nameOf(index), mail),
        ...(mail.is_wrong ? { reply_to: { email: 'not an address' } } : {}),
      })),
    },
  };
}
