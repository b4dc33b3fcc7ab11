import { randomBytes } from 'node:crypto';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { validateSettings, readSetting, settingColumns } from './instance-settings.ts';
import { networks } from './ip-allowlist.ts';
import { requireOwnSecondFactor } from './second-factor-rule.ts';

const audit = auditOf('instance');

export interface Instance {
  id: number;
  slug: string;
  name: string;
  timezone: string;
  is_enabled: boolean;
  subscription_status: 'active' | 'inactive';
  plan_send_limit: number | null;
  attachment_limit_bytes: number;
  bandwidth_bytes_per_second: number;
  bandwidth_burst_bytes: number;
  ip_allowlist: string[];
  retention_months: number;
  /** Of members, before anything else of the instance. */
  requires_second_factor: boolean;
  /** What becomes of answers that only ask for no more mail. */
  reply_withdrawal: 'offer' | 'automatic' | 'off';
  /** Per API key; 0 turns the limit off. */
  requests_per_second: number;
  requests_burst: number;
  /** Per SMTP credential; 0 turns the limit off. */
  smtp_messages_per_second: number;
  created_at: Date;
  updated_at: Date;
}

export interface NewInstance {
  slug: string;
  name: string;
  timezone?: string | undefined;
  plan_send_limit?: number | null | undefined;
}

const columns = `id, slug, name, timezone, is_enabled, subscription_status, plan_send_limit, attachment_limit_bytes,
  bandwidth_bytes_per_second, bandwidth_burst_bytes, ip_allowlist::text[], retention_months, requires_second_factor, reply_withdrawal,
  requests_per_second, requests_burst, smtp_messages_per_second, created_at, updated_at`;
const slugForm = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;

/** Inserts the row only; seeding is done by `main/provision.ts`. */
export async function insertInstance(tx: Queryable, wanted: NewInstance): Promise<Instance> {
  const { slug, name, timezone = 'UTC', plan_send_limit = null } = wanted;
  const violations = validateSettings({ name, timezone, plan_send_limit });
  if (!slugForm.test(slug)) {
    violations.unshift({
      pointer: '/slug',
      code: 'string_pattern_mismatch',
      message: 'A slug has 3 to 32 lower-case letters, digits and hyphens, and no hyphen at either end',
    });
  }
  if (violations.length > 0) throw validationProblem(violations);
  const [row] = await tx.query<Instance>(
    `insert into instances (slug, name, timezone, plan_send_limit) values ($1, $2, $3, $4) returning ${columns}`,
    [slug, name, timezone, plan_send_limit],
  );
  return row as Instance;
}

/** A page of them by slug, found by a part of slug or name. As everywhere here without the platform's own instance. */
export async function listInstances(
  db: Queryable,
  { search, ...page }: PageRequest & { search?: string | null | undefined },
): Promise<PageOf<Instance>> {
  const conditions = new Conditions()
    .where('is_platform = ?', false)
    .contains("(slug || ' ' || name)", search);
  return await selectPage<Instance>(
    db,
    {
      columns,
      source: `from instances where ${conditions.sql()}`,
      order_by: 'slug',
      values: conditions.values,
    },
    page,
  );
}

export async function getInstance(db: Queryable, slug: string): Promise<Instance> {
  const [row] = await db.query<Instance>(
    `select ${columns} from instances where slug = $1 and not is_platform`,
    [slug],
  );
  if (!row) throw new Problem('instance_not_found', { detail: `There is no instance '${slug}'.` });
  return row;
}

/** Changes settings given as text by the command line: `timezone=America/Santiago`. */
export async function setInstance(
  tx: Queryable,
  slug: string,
  { settings, actor }: { settings: Record<string, string>; actor: Actor },
): Promise<Instance> {
  const changes = Object.fromEntries(
    Object.entries(settings).map(([key, text]) => [key, readSetting(key, text)]),
  );
  return await updateInstance(tx, slug, { changes, actor });
}

export async function updateInstance(
  tx: Queryable,
  slug: string,
  { changes, actor }: { changes: Record<string, unknown>; actor: Actor },
): Promise<Instance> {
  const violations = validateSettings(changes);
  if (violations.length > 0) throw validationProblem(violations);
  const { id, requires_second_factor } = await getInstance(tx, slug);
  if (changes['requires_second_factor'] === true && !requires_second_factor)
    await requireOwnSecondFactor(tx, id, actor);
  const keys = Object.keys(changes).filter((key) => settingColumns.includes(key));
  if (keys.length === 0) return await getInstance(tx, slug);
  const assignments = keys.map((key, index) => {
    const parameter = `$${index + 2}`;
    return `${key} = ${key === 'ip_allowlist' ? networks(parameter) : parameter}`;
  });
  const [row] = await tx.query<Instance>(
    `update instances set ${[...assignments, 'updated_at = now()'].join(', ')} where id = $1 returning ${columns}`,
    [id, ...keys.map((key) => changes[key])],
  );
  await audit(tx, id, { action: 'updated', id: slug, actor, details: changes });
  return row as Instance;
}

/** The instance of the platform's own mail, without members and keys. The caller holds the lock. */
export async function ensurePlatformInstance(tx: Queryable): Promise<number> {
  const [found] = await tx.query<{ id: number }>('select id from instances where is_platform');
  if (found) return found.id;
  // A fixed slug could already belong to a tenant.
  const slug = `platform-${randomBytes(6).toString('hex')}`;
  const { id } = await insertInstance(tx, { slug, name: 'Mail of the platform' });
  await tx.query('update instances set is_platform = true where id = $1', [id]);
  return id;
}
