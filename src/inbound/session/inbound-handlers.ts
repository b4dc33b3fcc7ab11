import { recordUnsubscribe } from '../../events/index.ts';
import type { ReceivedMessage, SmtpHandlers } from '../../protocol/smtp/handlers.ts';
import type { Mailbox } from '../../protocol/smtp/mailbox-path.ts';
import { joinPieces } from '../../protocol/smtp/piece-list.ts';
import type { Reply } from '../../protocol/smtp/reply.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { readInboundAddress, type InboundAddress, type KnownMail } from './inbound-address.ts';
import type { Incoming, InboundContext, InboundResult } from './inbound-context.ts';
import { createSourceLimits } from './source-limits.ts';
import { admitToRoutes, hasTooManyHops, storeRouted } from './take-route.ts';
import { handleBounce } from '../reports/handle-bounce.ts';
import { handleDmarcReport } from '../reports/handle-dmarc-report.ts';
import { handlePostmasterMail } from '../handle-postmaster-mail.ts';

/** A provider returns a whole campaign from few addresses. */
const burstSeconds = 10;
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
const tooLarge: Reply = { code: 552, enhanced: '5.3.4', text: 'A report is not this large' };
const loop: Reply = { code: 554, enhanced: '5.4.6', text: 'Too many hops, this message is in a loop' };
const full: Reply = { code: 452, enhanced: '4.2.2', text: 'Too many DMARC reports today, try again later' };
const refusalsOf: Partial<Record<InboundResult, Reply>> = {
  too_early: tooEarly,
  dmarc_unaligned: unaligned,
  dmarc_unchecked: unchecked,
  dmarc_full: full,
  too_large: tooLarge,
};
const done: Reply = { code: 250, enhanced: '2.0.0', text: 'Accepted' };

export interface InboundOptions extends InboundContext {
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Of one source; 0 turns the limit off. */
  messages_per_second: number;
  /** Called once per recipient of a message. */
  count: (taken: InboundResult) => void;
}

/** More than any report has. */
const maxReportBytes = 10 * 1024 * 1024;

/**
 * Inbound SMTP. It does not relay; 250 comes after the consequence, or the mail of a route, is committed. A handler that
 * throws is answered with 451.
 */
export function inboundHandlers(context: InboundOptions): SmtpHandlers<never> {
  const { messages_per_second: per_second } = context;
  const rates = {
    messages: createSourceLimits({ per_second, burst: per_second * burstSeconds }, context.now),
    refusals: createSourceLimits(refusals, context.now),
  };
  const isTooFast = (source: string): boolean => per_second > 0 && !rates.messages.take(source);
  return {
    onMail({ session }) {
      const source = sourceOf(session.peer.address);
      return rates.refusals.has(source) && !isTooFast(source) ? undefined : tooMuch;
    },
    async onRcpt({ to, session, envelope }) {
      const found = await readInboundAddress(context, to);
      if (!found) return rates.refusals.take(sourceOf(session.peer.address)) ? noSuchUser : tooMuch;
      const address = found.kind === 'route' ? await admitToRoutes(context, found) : found;
      if ('code' in address) return address;
      notesOf(envelope).set(to.address.toLowerCase(), address);
      return undefined;
    },
    async onMessage(message) {
      return await takeMessage(context, message);
    },
  };
}

/** What RCPT decided stands: a route that goes meanwhile does not turn a 250 into nothing. */
function notesOf(envelope: { notes: unknown }): Map<string, InboundAddress> {
  if (!(envelope.notes instanceof Map)) envelope.notes = new Map<string, InboundAddress>();
  return envelope.notes as Map<string, InboundAddress>;
}

async function takeMessage(context: InboundOptions, message: ReceivedMessage<never>): Promise<Reply> {
  const { envelope, data } = message;
  const raw = joinPieces(data);
  const addresses = notesOf(envelope);
  const all = distinct(envelope.recipients).map((to) => ({
    to,
    address: addresses.get(to.address.toLowerCase()),
  }));
  const routed = all.flatMap(({ to, address }) => (address?.kind === 'route' ? [{ to, address }] : []));
  if (routed.length > 0 && hasTooManyHops(raw)) return loop;
  const others = all.filter(({ address }) => address?.kind !== 'route');
  const reply = await takeReports(context, message, { raw, recipients: others });
  // A temporary refusal repeats the whole message: what is stored then would be stored twice.
  if (routed.length === 0 || (reply.code >= 400 && reply.code < 500)) return reply;
  const ids = await storeRouted(context, message, { raw, recipients: routed });
  for (const id of ids) {
    context.count('received');
    context.log.info(
      { address: 'route', taken: 'received', received_mail_id: id, size: raw.length },
      'mail came in',
    );
  }
  return { ...done, text: `Received as ${ids[0] ?? ''}` };
}

interface Addressed {
  to: Mailbox;
  address: InboundAddress | undefined;
}

async function takeReports(
  context: InboundOptions,
  { envelope, session }: ReceivedMessage<never>,
  { raw, recipients }: { raw: Buffer; recipients: Addressed[] },
): Promise<Reply> {
  const incoming = {
    raw,
    mail_from: envelope.from?.address,
    remote_ip: session.peer.address,
    helo: session.helo,
  };
  let reply = done;
  for (const { to, address } of recipients) {
    const taken = await takeReport(context, address, { ...incoming, recipient: to.address });
    context.count(taken);
    const mail_id = address && 'mail' in address ? address.mail.mail_id : undefined;
    context.log.info({ address: address?.kind, taken, mail_id, size: raw.length }, 'mail came in');
    reply = refusalsOf[taken] ?? reply;
  }
  return reply;
}

async function takeReport(
  context: InboundOptions,
  address: InboundAddress | undefined,
  incoming: Incoming,
): Promise<InboundResult> {
  if (!address || address.kind === 'route') return 'ignored';
  return incoming.raw.length > maxReportBytes ? 'too_large' : await takeFor(context, address, incoming);
}

function distinct(recipients: Mailbox[]): Mailbox[] {
  return [...new Map(recipients.map((to) => [to.address.toLowerCase(), to])).values()];
}

async function takeFor(
  context: InboundContext,
  address: Exclude<InboundAddress, { kind: 'route' }>,
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
