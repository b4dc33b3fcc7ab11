import type { Job } from '../base/jobs/job.ts';
import type { Queryable } from '../base/db/database.ts';
import { recordAudit } from '../audit/index.ts';
import { type AdminMailing, writeToAdmins } from '../accounts/index.ts';
import { reminderMail } from './reminder-mail.ts';

const warnDays = 7;
const unverifiedDays = 7;
const at_once = 100;

interface DueRequest {
  id: number;
  instance_id: number;
  kind: string;
  due_at: Date;
  is_overdue: boolean;
}

/** Each open request is called to mind a week before it is due, and once more when it is overdue. */
const remind = `
  update rights_requests r set reminded_at = $1
  from (
    select id, due_at < $1 as is_overdue from rights_requests
    where status = 'open' and due_at < $1 + interval '${warnDays} days'
      and (reminded_at is null or due_at < $1 and reminded_at < due_at)
    order by due_at limit ${at_once} for update skip locked
  ) as due
  where r.id = due.id
  returning r.id, r.instance_id, r.kind, r.due_at, due.is_overdue`;

export async function remindDue(tx: Queryable, now: Date): Promise<DueRequest[]> {
  const rows = await tx.query<DueRequest & Record<string, unknown>>(remind, [now]);
  for (const { id, instance_id, kind, due_at, is_overdue } of rows) {
    await recordAudit(tx, {
      instance_id,
      actor: { kind: 'system' },
      action: is_overdue ? 'rights_request.overdue' : 'rights_request.due_soon',
      object: { kind: 'rights_request', id: String(id) },
      details: { kind, due_at: due_at.toISOString() },
    });
  }
  return rows;
}

export interface ReminderContext extends AdminMailing {
  base_url: string;
}

/** Once for all requests of the instance. */
async function remindAdmins(
  tx: Queryable,
  context: ReminderContext,
  [instance_id, requests]: [number, DueRequest[]],
): Promise<number> {
  const overdue = requests.filter(({ is_overdue }) => is_overdue).length;
  const counts = { overdue, due: requests.length - overdue, link: `${context.base_url}/panel/rights` };
  return await writeToAdmins(tx, context, {
    instance_id,
    mailFor: (reader) => reminderMail({ ...reader, ...counts, instance_id }),
  });
}

export const remindSchedule = { name: 'rights_reminders', every_ms: 60 * 60_000 } as const;

export function remindRightsJob(context: ReminderContext): Job {
  return {
    ...remindSchedule,
    async run({ db, now, isStopping }) {
      const total = { reminders: 0, mails: 0 };
      for (let found = at_once; found === at_once && !isStopping(); total.reminders += found) {
        found = await db.transaction(async (tx) => {
          const rows = await remindDue(tx, now);
          for (const ofInstance of Map.groupBy(rows, ({ instance_id }) => instance_id)) {
            total.mails += await remindAdmins(tx, context, ofInstance);
          }
          return rows.length;
        });
      }
      return `${total.reminders} reminders, ${total.mails} mails`;
    },
  };
}

/** Requests of the page whose mail was not answered: the ownership of their address was never proven. */
export const purgeUnverifiedJob: Job = {
  name: 'rights_unverified',
  every_ms: 60 * 60_000,
  destructive: true,
  async run({ db, now }) {
    const rows = await db.query(
      `delete from rights_requests where id in (
         select id from rights_requests where status = 'unverified'
           and created_at < $1::timestamptz - interval '${unverifiedDays} days' order by id limit 5000
       ) returning id`,
      [now],
    );
    return `${rows.length} requests`;
  },
};
