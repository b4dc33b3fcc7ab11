import { countAccepted } from '../activity/index.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { planPeriod, readPlanUsage } from '../limits/index.ts';
import type { Attention } from './overview-schemas.ts';
import { readProblems } from './read-problems.ts';

const dayMs = 86_400_000;
const maxListed = 20;

interface AttentionRequest {
  instance: { id: number; timezone: string };
  now: Date;
  language: Language;
}

export async function readAttention(db: Queryable, request: AttentionRequest): Promise<Attention> {
  const { instance, now, language } = request;
  const since = new Date(now.getTime() - dayMs);
  return {
    problems: await readProblems(db, instance.id, { since, language }),
    plan: await readPlan(db, request),
    domains: await db.query<Attention['domains'][number]>(
      `select id, domain, mx_status, spf_status, dkim_status, dmarc_status from domains
       where instance_id = $1 and deleted_at is null and not is_sandbox
         and 'verified' <> any (array[mx_status, spf_status, dkim_status, dmarc_status])
       order by domain limit ${maxListed}`,
      [instance.id],
    ),
    webhooks: await db.query<Attention['webhooks'][number]>(
      `select id, name, is_active, consecutive_failures, last_status_code, failing_since, auto_paused_at from webhooks
       where instance_id = $1 and (consecutive_failures > 0 or auto_paused_at is not null)
       order by consecutive_failures desc, id limit ${maxListed}`,
      [instance.id],
    ),
    rights: await readRights(db, request),
    checklist: await readChecklist(db, instance.id),
  };
}

/** What of a deadline is known to everybody: no names. */
async function readRights(db: Queryable, { instance, now }: AttentionRequest): Promise<Attention['rights']> {
  const [row] = await db.query<Attention['rights']>(
    `select count(*) filter (where due_at < $2) as overdue, count(*) filter (where due_at >= $2) as due_soon
     from rights_requests
     where status = 'open' and due_at < $2::timestamptz + interval '7 days' and instance_id = $1`,
    [instance.id, now],
  );
  return row ?? { overdue: 0, due_soon: 0 };
}

/** Without a limit nothing is reserved, and the statistics tell what was sent. */
async function readPlan(db: Queryable, { instance, now }: AttentionRequest): Promise<Attention['plan']> {
  const [row] = await db.query<{ plan_send_limit: number | null }>(
    'select plan_send_limit from instances where id = $1',
    [instance.id],
  );
  const limit = row?.plan_send_limit ?? null;
  const period = planPeriod(instance, now);
  if (limit !== null) return { limit, used: await readPlanUsage(db, period), period: period.period };
  const used = await countAccepted(db, { query: { start_date: period.period }, now, instance });
  return { limit, used, period: period.period };
}

async function readChecklist(db: Queryable, instanceId: number): Promise<Attention['checklist']> {
  const [row] = await db.query<Attention['checklist']>(
    `select exists (select from mails where instance_id = $1) as has_sent,
       exists (select from domains where instance_id = $1 and deleted_at is null and not is_sandbox
         and 'verified' = all (array[mx_status, spf_status, dkim_status, dmarc_status])) as has_verified_domain,
       exists (select from senders s join domains d on d.id = s.domain_id
         where s.instance_id = $1 and s.deleted_at is null and not d.is_sandbox) as has_sender,
       exists (select from api_keys where instance_id = $1 and revoked_at is null) as has_api_key`,
    [instanceId],
  );
  return row as Attention['checklist'];
}
