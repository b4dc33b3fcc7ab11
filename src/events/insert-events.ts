import { copyInto, type BatchStep } from '../base/db/copy-in.ts';

export interface NewEvent {
  event_id: string;
  mail_id: string;
  msg_id: string;
  instance_id: number;
  at: Date;
  event: 'dropped';
  /** Delivery status after it. */
  status: number | null;
  reason: string | null;
}

const insert = copyInto<NewEvent>('events', {
  event_id: (to, { event_id }) => to.uuid(event_id),
  mail_id: (to, { mail_id }) => to.uuid(mail_id),
  msg_id: (to, { msg_id }) => to.uuid(msg_id),
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  at: (to, { at }) => to.timestamp(at),
  event: (to, { event }) => to.text(event),
  status: (to, { status }) => to.smallint(status),
  reason: (to, { reason }) => to.text(reason),
});

export function insertEvents(events: NewEvent[]): BatchStep[] {
  return events.length === 0 ? [] : [insert(events)];
}
