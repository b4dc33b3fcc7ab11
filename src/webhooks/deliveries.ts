import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { DateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { deliveryStates, WebhookDelivery, WebhookDeliveryDetail } from './delivery-schemas.ts';
import type { EventType } from './event-types.ts';
import type { WebhookFormat } from './formats/format.ts';
import { loadBodies } from './load-deliveries.ts';
import { noMailId } from './notices.ts';
import { receivedBody } from './received-events.ts';
import type { LinkMaker } from '../received/index.ts';

export const deliveryColumns = `id, webhook_id, 'msg_' || event_id::text as message_id, type,
  case when mail_id not in ('${noMailId}', event_id) then mail_id end as mail_id, event_at, state,
  attempts, last_attempt_at, last_status_code, last_error, due_at as next_attempt_at, replayed_at, created_at`;

export type DeliveryRow = Omit<WebhookDelivery, 'recipient'>;

const eventOf = ({ message_id }: DeliveryRow): string => message_id.slice('msg_'.length);

interface EventKey {
  event_id: string;
  mail_id: string | null;
}

const keyOf = (row: DeliveryRow): EventKey => {
  const event_id = eventOf(row);
  return { event_id, mail_id: row.type === 'mail.received' ? event_id : row.mail_id };
};

/** To whom the mails are. A person who is blocked at their own request is named nowhere. */
export async function withRecipients(db: Queryable, rows: DeliveryRow[]): Promise<WebhookDelivery[]> {
  const bodies = await loadBodies(db, rows.map(keyOf));
  return rows.map((row) => {
    const event = bodies.get(eventOf(row));
    return { ...row, recipient: event && !event.is_blocked ? event.to : null };
  });
}

export interface DeliveryFilters {
  state: (typeof deliveryStates)[number] | null | undefined;
  type: EventType | null | undefined;
  range: Pick<DateRange, 'from' | 'until'>;
}

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  webhookId: number,
  { filters, page }: { filters: DeliveryFilters; page: PageRequest },
): Promise<PageOf<WebhookDelivery>> {
  const { state, type, range } = filters;
  const conditions = new Conditions()
    .where('webhook_id = ?', webhookId)
    .where('state = ?', state)
    .where('type = ?', type)
    .where('event_at >= ?', range.from)
    .where('event_at < ?', range.until);
  // Matches the partial indexes, which find a few deliveries in these states among millions.
  const indexed = state === 'pending' ? 'due_at is not null' : unsuccessful(state);
  const found = await selectPage<DeliveryRow>(
    db,
    {
      columns: deliveryColumns,
      source: `from webhook_deliveries where ${indexed} and ${conditions.sql()}`,
      order_by: 'id desc',
      values: conditions.values,
    },
    page,
  );
  return { ...found, data: await withRecipients(db, found.data) };
}

function unsuccessful(state: DeliveryFilters['state']): string {
  return state === 'failed' || state === 'discarded' ? `state in ('failed', 'discarded')` : 'true';
}

/** With its body, rendered from the event, and the log of its attempts. */
export async function getDelivery(
  db: Queryable,
  webhookId: number,
  { id, ...making }: LinkMaker & { id: number },
): Promise<WebhookDeliveryDetail> {
  const [row] = await db.query<
    DeliveryRow & { event_id: string; log: WebhookDeliveryDetail['log']; format: WebhookFormat }
  >(
    `select ${deliveryColumns}, event_id, log, (select format from webhooks w where w.id = webhook_id) as format
     from webhook_deliveries where webhook_id = $1 and id = $2`,
    [webhookId, id],
  );
  if (!row) throw new Problem('webhook_delivery_not_found');
  const { event_id, log, format, ...delivery } = row;
  const bodies = await loadBodies(db, [keyOf(delivery)]);
  const event = bodies.get(event_id);
  if (event?.is_blocked) throw new Problem('webhook_delivery_not_found');
  const made = event?.bodyIn(format) ?? null;
  const body =
    typeof made === 'object' && made !== null
      ? ((await receivedBody(db, { ...made, format, ...making })) ?? null)
      : made;
  return { ...delivery, recipient: event?.to ?? null, body, log };
}
