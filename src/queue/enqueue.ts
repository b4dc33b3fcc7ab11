import { copyInto, type BatchStep } from '../base/db/copy-in.ts';

export interface QueueEntry {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** 0 transactional, 1 broadcast. */
  priority: 0 | 1;
  due_at: Date;
}

const insert = copyInto<QueueEntry>('queue', {
  mail_id: (to, { mail_id }) => to.uuid(mail_id),
  msg_id: (to, { msg_id }) => to.uuid(msg_id),
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  destination: (to, { destination }) => to.text(destination),
  priority: (to, { priority }) => to.smallint(priority),
  ready_priority: (to, { priority }) => to.smallint(priority),
  due_at: (to, { due_at }) => to.moment(due_at),
});
const wake: BatchStep = { sql: 'notify chasqui_queue' };

/** Puts mails in line and wakes whoever delivers, with the commit. */
export function enqueue(entries: QueueEntry[]): BatchStep[] {
  return entries.length === 0 ? [] : [insert(entries), wake];
}
