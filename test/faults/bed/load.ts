import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { FaultBed } from './fault-bed.ts';
import type { FaultNode } from './fault-node.ts';
import type { Sent } from './ledger.ts';

export interface LoadOptions {
  nodes: FaultNode[];
  /** Of all nodes together. */
  per_second: number;
  /** HTTP unless said. */
  over?: 'http' | 'smtp';
  /** Each send has an idempotency key, and is repeated on any node until it is answered. */
  keyed?: boolean;
}

export interface Load {
  stop(): Promise<void>;
}

const answerWithinMs = 30_000;
/** Sends that wait for their answer, for each node: a node that is stuck must not hold up the others. */
const mostWaiting = 64;
let loads = 0;

/** Sends mail after mail, each with an identifier of its own, and notes what became of each send. */
export function startLoad(
  bed: FaultBed,
  { nodes, per_second, over = 'http', keyed = false }: LoadOptions,
): Load {
  const going = new AbortController();
  const name = `${keyed ? 'k' : over[0]}${(loads += 1)}`;
  const clients = nodes.map(async (node, index) => {
    const http = keyed ? repeatedSender(bed, node) : httpSender(bed, node);
    const send = over === 'http' ? http : smtpSender(bed, node);
    const waiting = new Set<Promise<void>>();
    for (let count = 0; !going.signal.aborted; count += 1) {
      await sleep((1000 * nodes.length) / per_second, undefined, { signal: going.signal }).catch(
        () => undefined,
      );
      if (!node.is_up || waiting.size >= mostWaiting || going.signal.aborted) continue;
      const sending = noted(bed, { node, send, id: `${name}-${index}-${count}` });
      waiting.add(sending);
      void sending.finally(() => waiting.delete(sending));
    }
    await Promise.all(waiting);
  });
  return {
    async stop() {
      going.abort();
      await Promise.all(clients);
    },
  };
}

/** That many mails at once to one node, all of which must be acknowledged. */
export async function sendBurst(bed: FaultBed, node: FaultNode, count: number): Promise<void> {
  const name = `b${(loads += 1)}`;
  const send = httpSender(bed, node);
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await noted(bed, { node, send, id: `${name}-${(next += 1)}` });
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

type Send = (id: string) => Promise<{ acknowledged: boolean; reply: string }>;

interface OneSend {
  node: FaultNode;
  send: Send;
  id: string;
}

async function noted({ ledger }: FaultBed, { node, send, id }: OneSend): Promise<void> {
  const sent: Sent = { id, node: node.name, at: Date.now(), answer: 'pending', answered_at: 0, reply: '' };
  ledger.sent.set(id, sent);
  try {
    const { acknowledged, reply } = await send(id);
    Object.assign(sent, { answer: acknowledged ? 'acknowledged' : 'refused', reply });
  } catch (error) {
    Object.assign(sent, { answer: 'unanswered', reply: (error as Error).message });
  }
  sent.answered_at = Date.now();
}

/** Far longer than any fault lasts. */
const give_up_after_ms = 120_000;

/** A caller who does not know what became of a send repeats it, first on its own node and then on any that is up. */
function repeatedSender(bed: FaultBed, own: FaultNode): Send {
  return async (id) => {
    const until = Date.now() + give_up_after_ms;
    for (let node = own; ;) {
      const answer = await httpSender(bed, node, { 'idempotency-key': id })(id).catch(() => undefined);
      const isOver = answer && !/^(?:429|5\d\d)|idempotency_in_progress/.test(answer.reply);
      if (isOver) return answer;
      if (Date.now() > until) throw new Error('never answered');
      await sleep(50 + Math.random() * 200);
      const up = bed.nodes.filter(({ is_up }) => is_up);
      node = up[Math.floor(Math.random() * up.length)] ?? own;
    }
  };
}

function httpSender(
  { caller, addressOf, html }: FaultBed,
  node: FaultNode,
  more: Record<string, string> = {},
): Send {
  return async (id) => {
    const response = await fetch(`${node.base_url}/v1/mails/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller.api_key}`,
        'x-instance-slug': caller.slug,
        'content-type': 'application/json',
        ...more,
      },
      body: JSON.stringify({
        sender_email: caller.sender,
        to: [{ email: addressOf(id) }],
        subject: id,
        html,
        custom_msg_id: id,
      }),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const [, code = ''] = /"code":"(\w+)"/.exec(await response.text()) ?? [];
    return { acknowledged: response.status === 200, reply: `${response.status} ${code}`.trim() };
  };
}

function smtpSender({ caller, addressOf, html }: FaultBed, node: FaultNode): Send {
  return async (id) => {
    const [host = '', port = ''] = node.submission.split(':');
    const auth = { user: caller.smtp.username, pass: caller.smtp.password };
    const timeout = { connectionTimeout: answerWithinMs, socketTimeout: answerWithinMs };
    const transport = createTransport({ host, port: Number(port), ignoreTLS: true, auth, ...timeout });
    try {
      await transport.sendMail({
        from: caller.sender,
        to: addressOf(id),
        subject: id,
        html,
        headers: { 'X-Chq-Custom-Msg-Id': id },
      });
      return { acknowledged: true, reply: '250' };
    } catch (error) {
      const { responseCode } = error as { responseCode?: number };
      if (responseCode === undefined) throw error;
      return { acknowledged: false, reply: String(responseCode) };
    } finally {
      transport.close();
    }
  };
}
