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
}

export interface Load {
  stop(): Promise<void>;
}

const answer_within_ms = 30_000;
/** Sends that wait for their answer, for each node: a node that is stuck must not hold up the others. */
const most_waiting = 64;
let loads = 0;

/** Sends mail after mail, each with an identifier of its own, and notes what became of each send. */
export function startLoad(bed: FaultBed, { nodes, per_second, over = 'http' }: LoadOptions): Load {
  const going = new AbortController();
  const name = `${over[0]}${(loads += 1)}`;
  const clients = nodes.map(async (node, index) => {
    const send = over === 'http' ? httpSender(bed, node) : smtpSender(bed, node);
    const waiting = new Set<Promise<void>>();
    for (let count = 0; !going.signal.aborted; count += 1) {
      await sleep((1000 * nodes.length) / per_second, undefined, { signal: going.signal }).catch(
        () => undefined,
      );
      if (!node.is_up || waiting.size >= most_waiting || going.signal.aborted) continue;
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

function httpSender({ caller, addressOf, html }: FaultBed, node: FaultNode): Send {
  return async (id) => {
    const response = await fetch(`${node.base_url}/v1/mails/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller.api_key}`,
        'x-instance-slug': caller.slug,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        sender_email: caller.sender,
        to: [{ email: addressOf(id) }],
        subject: id,
        html,
        custom_msg_id: id,
      }),
      signal: AbortSignal.timeout(answer_within_ms),
    });
    const [, code = ''] = /"code":"(\w+)"/.exec(await response.text()) ?? [];
    return { acknowledged: response.status === 200, reply: `${response.status} ${code}`.trim() };
  };
}

function smtpSender({ caller, addressOf, html }: FaultBed, node: FaultNode): Send {
  return async (id) => {
    const [host = '', port = ''] = node.submission.split(':');
    const auth = { user: caller.smtp.username, pass: caller.smtp.password };
    const timeout = { connectionTimeout: answer_within_ms, socketTimeout: answer_within_ms };
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
