import { newId } from '../../base/ids.ts';
import type { ReceivedMessage, SessionInfo } from '../../protocol/smtp/handlers.ts';
import type { Mailbox } from '../../protocol/smtp/mailbox-path.ts';
import type { Reply } from '../../protocol/smtp/reply.ts';
import type { Receipt, ReceivedRecipient, TakenAction } from '../../received/index.ts';
import type { InboundAddress, Taker } from './inbound-address.ts';
import type { InboundContext } from './inbound-context.ts';

type Routed = Extract<InboundAddress, { kind: 'route' }>;

const refused: Reply = { code: 550, enhanced: '5.7.1', text: 'The owner of this address takes no mail' };
const disabled: Reply = { code: 450, enhanced: '4.2.1', text: 'The mailbox is disabled for now' };
const tooMuch: Reply = {
  code: 451,
  enhanced: '4.7.1',
  text: 'Too much mail for this domain, try again later',
};

/** Takers that want the mail; a refusal if nobody does. */
export async function admitToRoutes(context: InboundContext, address: Routed): Promise<Routed | Reply> {
  const wanting = address.takers.filter(({ action }) => action !== 'reject');
  if (wanting.length === 0) return refused;
  const takers = wanting.filter(({ is_enabled }) => is_enabled);
  if (takers.length === 0) return disabled;
  for (const taker of takers) if (!(await context.taking(taker))) return tooMuch;
  return { ...address, takers };
}

/** RFC 5321 §6.3 has 100 as the fewest that mean a loop. */
const maxHops = 100;
const maxHeaderBytes = 256 * 1024;

/** Whether more servers passed it on than any path has. */
export function hasTooManyHops(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, Math.min(end === -1 ? raw.length : end, maxHeaderBytes));
  return (header.match(/^received[ \t]*:/gim) ?? []).length > maxHops;
}

interface RoutedRecipient {
  to: Mailbox;
  address: Routed;
}

/** Stores a message for all of its routed recipients; the identifiers of what is committed then. */
export async function storeRouted(
  context: InboundContext,
  { envelope, session }: ReceivedMessage<never>,
  { raw, recipients }: { raw: Buffer; recipients: RoutedRecipient[] },
): Promise<string[]> {
  const received_at = context.clock.now();
  const byInstance = Map.groupBy(
    recipients.flatMap(({ to, address }) =>
      address.takers.map((taker) => recipientOf(taker, { to, tag: address.tag, received_at })),
    ),
    ({ instance_id }) => instance_id,
  );
  const sources = [...byInstance.values()].map((each) => ({ id: newId(received_at), recipients: each }));
  const receipt: Receipt = {
    raw,
    is_sandbox: false,
    received_at,
    mail_from: envelope.from?.address ?? null,
    ...sessionOf(session),
    sources,
  };
  await context.storeReceived(receipt);
  return sources.flatMap((source) => source.recipients.map(({ id }) => id));
}

function recipientOf(
  { instance_id, domain_id, route_id, action }: Taker,
  { to, tag, received_at }: { to: Mailbox; tag: string | null; received_at: Date },
): ReceivedRecipient {
  const id = newId(received_at);
  return { id, instance_id, domain_id, route_id, action: action as TakenAction, recipient: to.address, tag };
}

/** Without the zone of a link-local address, which the database refuses. */
function sessionOf({ helo, peer, tls }: SessionInfo): Pick<Receipt, 'helo' | 'remote_ip' | 'tls'> {
  return {
    helo: helo.slice(0, 255),
    remote_ip: peer.address.replace(/%.*$/, ''),
    tls: tls ? `${tls.protocol} ${tls.cipher}` : null,
  };
}
