import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import type { Sink } from '../bed/sink.ts';
import { drop, startRemoteMx, type Reply, type SessionState } from '../../support/remote-mx.ts';
import type { History, MailReceipt } from './history.ts';
import type { Random } from './plan/prng.ts';

/** How the servers of all nodes behave; faults change it while they run. */
export interface ReceiverManners {
  /** Before the replies to RCPT. */
  recipient_delay_ms: number;
  /** Of final dots, which are answered with 451. */
  deferred_share: number;
  /** Of final dots, in place of whose reply the connection ends, though the message was taken. */
  cut_share: number;
  /** Of connections, which end at MAIL. */
  closed_share: number;
}

export const kindManners: Readonly<ReceiverManners> = {
  recipient_delay_ms: 0,
  deferred_share: 0,
  cut_share: 0,
  closed_share: 0,
};

interface Receiving {
  history: History;
  manners: ReceiverManners;
  random: Random;
  /** Mail from and to, put off once already, by the server of whatever node. */
  put_off: Set<string>;
}

const usualReplyMs = 30;

/** The remote server of one node. A message counts as taken at its final dot, as with servers that queue. */
export async function startMailReceiver(node: string, receiving: Receiving): Promise<Sink> {
  const { manners, random } = receiving;
  const times = new WeakMap<SessionState['session'], { began_at: number; asked_at: number }>();
  const mx = await startRemoteMx({
    capabilities: ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8'],
    script: {
      MAIL({ session }) {
        times.set(session, { began_at: Date.now(), asked_at: 0 });
        return random.chance(manners.closed_share) ? drop : undefined;
      },
      async RCPT(state, argument) {
        await sleep(manners.recipient_delay_ms);
        return replyTo(receiving, `${state.mail_from} ${argument}`, argument);
      },
      DATA({ session }) {
        Object.assign(times.get(session) ?? {}, { asked_at: Date.now() });
        return undefined;
      },
      async BODY({ session, rcpt_to, data }) {
        const { began_at, asked_at } = times.get(session) ?? { began_at: 0, asked_at: 0 };
        const receipt = await readReceipt(data ?? Buffer.alloc(0));
        mx.messages.length = 0;
        const timesOfIt = { began_at, asked_at, taken_at: Date.now(), answered_at: undefined };
        const taken: MailReceipt = {
          node,
          ...timesOfIt,
          code: 0,
          to: (rcpt_to[0] ?? '').toLowerCase(),
          ...receipt,
        };
        if (random.chance(manners.deferred_share)) taken.code = 451;
        receiving.history.mails.push(taken);
        if (taken.code === 0 && random.chance(manners.cut_share)) return drop;
        await sleep(random.next() * usualReplyMs);
        if (session.closed_at !== undefined) return undefined;
        taken.answered_at = Date.now();
        if (taken.code === 451) return '451 4.3.0 later';
        taken.code = 250;
        return undefined;
      },
    },
  });
  return { port: mx.port, stop: async () => await mx.stop() };
}

/** By who it is to. */
function replyTo({ put_off }: Receiving, mail: string, argument: string): Reply | undefined {
  if (/<gone/i.test(argument)) return '550 5.1.1 no such person';
  if (!/<later/i.test(argument) || put_off.has(mail)) return undefined;
  put_off.add(mail);
  return '452 4.2.2 mailbox full';
}

/** What a link in a mail is for, by the first part of its path. */
const links = /https?:\/\/[^/\s"'<>]+\/(u|o|c|report|confirm)\/([\w.~-]+)/g;

async function readReceipt(data: Buffer): Promise<Pick<MailReceipt, 'subject' | 'tokens'>> {
  const { subject = '', html = '', text = '', headers } = await PostalMime.parse(data);
  const fields = headers.map(({ value }) => value).join('\n');
  const found = [...`${fields}\n${html}\n${text}`.matchAll(links)];
  return { subject, tokens: Object.fromEntries(found.map(([, kind = '', token = '']) => [kind, token])) };
}
