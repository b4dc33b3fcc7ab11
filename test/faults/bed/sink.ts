import { setTimeout as sleep } from 'node:timers/promises';
import { startRemoteMx } from '../../support/remote-mx.ts';
import type { Copy, Ledger } from './ledger.ts';

/** How the remote servers of all nodes behave; may be changed while they run. */
export interface RemoteManners {
  /** Between the final dot and its reply. */
  reply_after_ms: () => number;
  /** Before the reply to RCPT, and so before the message. */
  recipient_after_ms: () => number;
  /** How many domains mail is sent to from now on: each has a few connections of its own from every node. */
  destinations: number;
}

export interface Sink {
  port: number;
  stop: () => Promise<void>;
}

/**
 * The remote server of one node. A message counts as taken at its final dot, even if no client reads the reply: that is
 * how servers that queue behave.
 */
export async function startSink(ledger: Ledger, node: string, manners: RemoteManners): Promise<Sink> {
  const mx = await startRemoteMx({
    capabilities: ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8'],
    script: {
      async RCPT() {
        await sleep(manners.recipient_after_ms());
        return undefined;
      },
      async BODY({ rcpt_to, session }) {
        const [id = ''] = (rcpt_to[0] ?? '').split('@');
        const copy: Copy = { id, node, at: Date.now(), answered_at: undefined };
        const copies = ledger.copies.get(id);
        if (copies) copies.push(copy);
        else ledger.copies.set(id, [copy]);
        await sleep(manners.reply_after_ms());
        if (session.closed_at === undefined) copy.answered_at = Date.now();
        mx.messages.length = 0;
        return undefined;
      },
    },
  });
  return { port: mx.port, stop: async () => await mx.stop() };
}
