import { recordUnsubscribe } from '../../events/index.ts';
import type { ReceivedMessage, SmtpHandlers } from '../../protocol/smtp/handlers.ts';
import type { Mailbox } from '../../protocol/smtp/mailbox-path.ts';
import { joinPieces } from '../../protocol/smtp/piece-list.ts';
import type { Reply } from '../../protocol/smtp/reply.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { readInboundAddress, type InboundAddress, type KnownMail } from './inbound-address.ts';
import type { Incoming, InboundContext, InboundResult } from './inbound-context.ts';
import { createSourceLimits } from './source-limits.ts';
import { handleBounce } from '../reports/handle-bounce.ts';
import { handleDmarcReport } from '../reports/handle-dmarc-report.ts';
import { handlePostmasterMail } from '../handle-postmaster-mail.ts';

/** A provider returns a whole campaign from few addresses. */
const messages = { burst: 500, per_second: 50 };
/** Unknown recipients mean address guessing or backscatter. */
const refusals = { burst: 100, per_second: 1 };

const noSuchUser: Reply = { code: 550, enhanced: '5.1.1', text: 'No such address here' };
const tooMuch: Reply = { code: 421, enhanced: '4.7.0', text: 'Too much from your address, try again later' };
const tooEarly: Reply = { code: 451, enhanced: '4.3.0', text: 'Not settled yet, try again in a few minutes' };
const unaligned: Reply = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Neither SPF nor DKIM of the domain in From passes, as a DMARC report needs',
};
const unchecked: Reply = { code: 451, enhanced: '4.4.3', text: 'DNS does not answer, try again later' };
const full: Reply = { code: 452, enhanced: '4.2.2', text: 'Too many DMARC reports today, try again later' };
const refusalsOf: Partial<Record<InboundResult, Reply>> = {
  too_early: tooEarly,
  dmarc_unaligned: unaligned,
  dmarc_unchecked: unchecked,
  dmarc_full: full,
};
const done: Reply = { code: 250, enhanced: '2.0.0', text: 'Accepted' };

export interface InboundOptions extends InboundContext {
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Called once per recipient of a message. */
  count: (taken: InboundResult) => void;
}

/**
 * Inbound SMTP. It does not relay and never sends mail in response; 250 comes after the consequence is committed. A
 * handler that throws is answered with 451.
 */
export function inboundHandlers(context: InboundOptions): SmtpHandlers<never> {
  const rates = {
    messages: createSourceLimits(messages, context.now),
    refusals: createSourceLimits(refusals, context.now),
  };
  return {
    onMail({ session }) {
      const source = sourceOf(session.peer.address);
      return rates.refusals.has(source) && rates.messages.take(source) ? undefined : tooMuch;
    },
    async onRcpt({ to, session }) {
      if (await readInboundAddress(context, to)) return undefined;
      return rates.refusals.take(sourceOf(session.peer.address)) ? noSuchUser : tooMuch;
    },
    async onMessage(message) {
      return await takeMessage(context, message);
    },
  };
}

async function takeMessage(context: InboundOptions, message: ReceivedMessage<never>): Promise<Reply> {
  const { envelope, data, session } = message;
  const raw = joinPieces(data);
  const incoming = {
    raw,
    mail_from: envelope.from?.address,
    remote_ip: session.peer.address,
    helo: session.helo,
  };
  let reply = done;
  for (const to of distinct(envelope.recipients)) {
    const address = await readInboundAddress(context, to);
    const taken = address
      ? await takeFor(context, address, { ...incoming, recipient: to.address })
      : ('ignored' as const);
    context.count(taken);
    const mail_id = address && 'mail' in address ? address.mail.mail_id : undefined;
    context.log.info({ address: address?.kind, taken, mail_id, size: raw.length }, 'mail came in');
    reply = refusalsOf[taken] ?? reply;
  }
  return reply;
}

function distinct(recipients: Mailbox[]): Mailbox[] {
  return [...new Map(recipients.map((to) => [to.address.toLowerCase(), to])).values()];
}

async function takeFor(
  context: InboundContext,
  address: InboundAddress,
  incoming: Incoming,
): Promise<InboundResult> {
  if (address.kind === 'bounce') return await handleBounce(context, address.mail, incoming.raw);
  if (address.kind === 'unsubscribe') return await handleUnsubscribe(context, address.mail, incoming);
  if (address.kind === 'dmarc') return await handleDmarcReport(context, incoming);
  return await handlePostmasterMail(context, address.owners, incoming);
}

/** Writing to the address is the request, whatever the content. Automatic reports have an empty reverse path. */
async function handleUnsubscribe(
  { db, clock }: InboundContext,
  { mail_id }: KnownMail,
  { mail_from }: Incoming,
): Promise<InboundResult> {
  if (mail_from === undefined) return 'ignored';
  await recordUnsubscribe(db, { mail_id, method: 'mailto', reason: null, at: clock.now() });
  return 'unsubscribe';
}
