import type { Job } from '../base/jobs/job.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import { recordAudit } from '../audit/index.ts';
import { limitPlatformMail, MailLimitReached, type PlatformMailLimits } from '../limits/index.ts';
import { reminderMail } from './reminder-mail.ts';

const warn_days = 7;
const unverified_days = 7;
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
    where status = 'open' and due_at < $1 + interval '${warn_days} days'
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

export interface ReminderContext {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
  base_url: string;
}

/** Of one instance; a team has few. */
const max_admins = 20;

/**
 * Writes to those who answer for an instance, once for all its requests. In the transaction that marks them as reminded, so
 * that a failure is repeated: a mail twice is better than none.
 */
async function writeToAdmins(
  tx: Queryable,
  { sendPlatformMail, mail_limits, base_url }: ReminderContext,
  [instance_id, requests]: [number, DueRequest[]],
): Promise<number> {
  const admins = await tx.query<{ email: string; language: Language | null; instance: string }>(
    `select u.email, u.language, i.name as instance from memberships m
     join users u on u.id = m.user_id join instances i on i.id = m.instance_id
     where m.instance_id = $1 and m.role in ('owner', 'admin') order by u.id limit ${max_admins}`,
    [instance_id],
  );
  const overdue = requests.filter(({ is_overdue }) => is_overdue).length;
  const counts = { overdue, due: requests.length - overdue };
  let written = 0;
  for (const { email: to, language, instance } of admins) {
    try {
      await limitPlatformMail(tx, mail_limits, {
        kind: 'platform',
        instance_id,
        recipient: to,
        address: null,
      });
    } catch (error) {
      // The audit log and the panel say it too.
      if (error instanceof MailLimitReached) continue;
      throw error;
    }
    await sendPlatformMail(
      reminderMail({ instance_id, to, language, instance, ...counts, link: `${base_url}/panel/rights` }),
    );
    written += 1;
  }
  return written;
}

export const remind_schedule = { name: 'rights_reminders', every_ms: 60 * 60_000 } as const;

export function remindRightsJob(context: ReminderContext): Job {
  return {
    ...remind_schedule,
    async run({ db, now, isStopping }) {
      const total = { reminders: 0, mails: 0 };
      for (let found = at_once; found === at_once && !isStopping(); total.reminders += found) {
        found = await db.transaction(async (tx) => {
          const rows = await remindDue(tx, now);
          for (const ofInstance of Map.groupBy(rows, ({ instance_id }) => instance_id)) {
            total.mails += await writeToAdmins(tx, context, ofInstance);
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
           and created_at < $1::timestamptz - interval '${unverified_days} days' order by id limit 5000
       ) returning id`,
      [now],
    );
    return `${rows.length} requests`;
  },
};
