import type { Database, Queryable } from '../base/db/database.ts';
import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';
import { writeToAdmins, type AdminMailing } from '../accounts/index.ts';
import { announce } from '../announce/index.ts';
import { alertMail } from './alert-mail.ts';
import type { AlertKind } from './alert-kinds.ts';
import { findCauses, type Cause, type Instance } from './find-causes.ts';
import { readRules, type Rules } from './rules.ts';

/** At once; each pass takes a fixed number of statements. */
const instancesPerPass = 200;
const keptDays = 90;

export interface AlertsContext extends AdminMailing {
  base_url: string;
}

interface Settled {
  id: number;
  instance_id: number;
  kind: AlertKind;
  object_id: string;
  object_name: string;
  value: number | null;
  threshold: number | null;
}

type Raised = Settled & { slug: string };

const columnsOfAlert = 'id, instance_id, kind, object_id, object_name, value, threshold';

function noticeOf(type: 'alert.raised' | 'alert.resolved', alert: Settled) {
  const { id, instance_id, kind, object_id, object_name, value, threshold } = alert;
  const about = { object_id: object_id || null, object_name: object_name || null, value, threshold };
  return { instance_id, type, data: { alert_id: id, kind, ...about } };
}

/** Raises an alert for each new cause, keeps the value of open ones, and ends those whose cause is gone. */
async function settle(
  tx: Queryable,
  { ids, causes, now }: { ids: number[]; causes: Cause[]; now: Date },
): Promise<{ raised: Raised[]; resolved: Settled[] }> {
  const columns = (of: Cause[]): unknown[] => [
    of.map(({ instance_id }) => instance_id),
    of.map(({ kind }) => kind),
    of.map(({ object_id }) => object_id),
    of.map(({ object_name }) => object_name.slice(0, 255)),
    of.map(({ value }) => value),
    of.map(({ threshold }) => threshold),
  ];
  const given = `unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[])
    as c (instance_id, kind, object_id, object_name, value, threshold)`;
  await tx.query(
    `update alerts a set value = c.value, object_name = c.object_name from ${given}
     where a.instance_id = c.instance_id and a.kind = c.kind and a.object_id = c.object_id and a.resolved_at is null`,
    columns(causes),
  );
  const raised = await tx.query<Raised & Record<string, unknown>>(
    `with made as (
       insert into alerts (instance_id, kind, object_id, object_name, value, threshold, raised_at)
       select c.*, $7 from ${given} order by 1, 2, 3
       on conflict (instance_id, kind, object_id) where resolved_at is null do nothing
       returning ${columnsOfAlert}
     )
     select made.*, i.slug from made join instances i on i.id = made.instance_id order by made.id`,
    [...columns(causes.filter(({ raises }) => raises)), now],
  );
  const [first = [], second = [], third = []] = columns(causes) as unknown[][];
  const resolved = await tx.query<Settled & Record<string, unknown>>(
    `update alerts a set resolved_at = $5
     where a.instance_id = any($1) and a.resolved_at is null and not exists (
       select from unnest($2::bigint[], $3::text[], $4::text[]) as c (instance_id, kind, object_id)
       where c.instance_id = a.instance_id and c.kind = a.kind and c.object_id = a.object_id
     ) returning ${columnsOfAlert}`,
    [ids, first, second, third, now],
  );
  return { raised, resolved };
}

async function notify(
  tx: Queryable,
  context: AlertsContext,
  { raised, rules }: { raised: Raised[]; rules: Rules },
): Promise<number> {
  const toMail = raised.filter(({ instance_id, kind }) => rules(instance_id, kind).by_mail);
  let written = 0;
  for (const [instance_id, alerts] of Map.groupBy(toMail, (each) => each.instance_id)) {
    const link = `${context.base_url}/panel/i/${alerts[0]?.slug}/alerts`;
    written += await writeToAdmins(tx, context, {
      instance_id,
      mailFor: (reader) => alertMail({ ...reader, instance_id, alerts, link }),
    });
  }
  return written;
}

/** One pass over some instances, in one transaction: alerts and the mail about them are stored together. */
export async function evaluateInstances(
  db: Database,
  context: AlertsContext,
  { instances, now }: { instances: Instance[]; now: Date },
): Promise<{ raised: number; resolved: number; mails: number }> {
  const ids = instances.map(({ id }) => id);
  const rules = await readRules(db, ids);
  const causes = await findCauses(db, instances, { rules, now });
  return await db.transaction(async (tx) => {
    const { raised, resolved } = await settle(tx, { ids, causes, now });
    const mails = await notify(tx, context, { raised, rules });
    await announce(
      tx,
      [
        ...raised.map((alert) => noticeOf('alert.raised', alert)),
        ...resolved.map((alert) => noticeOf('alert.resolved', alert)),
      ],
      now,
    );
    return { raised: raised.length, resolved: resolved.length, mails };
  });
}

export const alertsSchedule = { name: 'alerts', every_ms: 60_000 } as const;

export function alertsJob(context: AlertsContext): Job {
  return {
    ...alertsSchedule,
    async run({ db, now, isStopping, position, resumeAt }) {
      const total = { raised: 0, resolved: 0, mails: 0 };
      for (let after = Number(position ?? 0); !isStopping();) {
        const instances = await db.query<Instance & Record<string, unknown>>(
          `select id, timezone, plan_send_limit from instances
           where id > $1 and not is_platform order by id limit ${instancesPerPass}`,
          [after],
        );
        if (instances.length === 0) break;
        after = instances.at(-1)?.id ?? after;
        const done = await evaluateInstances(db, context, { instances, now });
        resumeAt?.(String(after));
        total.raised += done.raised;
        total.resolved += done.resolved;
        total.mails += done.mails;
      }
      return `${total.raised} raised, ${total.resolved} resolved, ${total.mails} mails`;
    },
  };
}

export const purgeAlertsJob: Job = {
  name: 'purge_alerts',
  every_ms: 24 * 3_600_000,
  destructive: true,
  async run(context) {
    const removed = await deleteInBatches(
      context,
      `delete from alerts where id in (
         select id from alerts where resolved_at < $1::timestamptz - interval '${keptDays} days'
         order by resolved_at limit $2
       ) returning 1`,
      [context.now],
    );
    return `${removed} alerts`;
  },
};
