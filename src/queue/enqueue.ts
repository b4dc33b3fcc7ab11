import { copyInto, type BatchStep } from '../base/db/copy-in.ts';

export interface QueueEntry {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** 0 transactional, 1 broadcast. */
  priority: 0 | 1;
  due_at: Date;
  /** Not due yet: no claim sees it before it is. */
  is_scheduled: boolean;
  /** Set when this process delivers the mail at once: the row is written as if it had been claimed. */
  lease: { id: string; until: Date } | undefined;
}

const insert = copyInto<QueueEntry>('queue', {
  mail_id: (to, { mail_id }) => to.uuid(mail_id),
  msg_id: (to, { msg_id }) => to.uuid(msg_id),
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  destination: (to, { destination }) => to.text(destination),
  priority: (to, { priority }) => to.smallint(priority),
  ready_priority: (to, { priority, is_scheduled, lease }) =>
    to.smallint(lease || is_scheduled ? null : priority),
  due_at: (to, { due_at, lease }) => to.timestamp(lease?.until ?? due_at),
  lease: (to, { lease }) => to.uuid(lease?.id ?? null),
  attempts: (to, { lease }) => to.smallint(lease ? 1 : 0),
});
const wake: BatchStep = { sql: 'notify chasqui_queue' };

/** Inserts the mails and, with the commit, notifies the delivery loops if one of them can be claimed now. */
export function enqueue(entries: QueueEntry[]): BatchStep[] {
  if (entries.length === 0) return [];
  const isClaimable = ({ lease, is_scheduled }: QueueEntry): boolean => lease === undefined && !is_scheduled;
  return entries.some(isClaimable) ? [insert(entries), wake] : [insert(entries)];
}
