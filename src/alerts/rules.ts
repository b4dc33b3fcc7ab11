import type { Queryable } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { alertKinds, kindRules, type AlertKind } from './alert-kinds.ts';
import type { AlertRule, AlertRuleChanges } from './alert-schemas.ts';

const audit = auditOf('alert_rule');

type RuleRow = AlertRule & { instance_id: number };

/** By instance and kind, the defaults where nothing was chosen. */
export type Rules = (instanceId: number, kind: AlertKind) => AlertRule;

export async function readRules(db: Queryable, instanceIds: number[]): Promise<Rules> {
  const rows = await db.query<RuleRow & Record<string, unknown>>(
    'select instance_id, kind, is_enabled, threshold, by_mail from alert_rules where instance_id = any($1)',
    [instanceIds],
  );
  const chosen = new Map(rows.map(({ instance_id, ...rule }) => [`${instance_id} ${rule.kind}`, rule]));
  return (instanceId, kind) => chosen.get(`${instanceId} ${kind}`) ?? defaultOf(kind);
}

export async function listRules(db: Queryable, instanceId: number): Promise<AlertRule[]> {
  const rules = await readRules(db, [instanceId]);
  return alertKinds.map((kind) => rules(instanceId, kind));
}

export async function changeRule(
  tx: Queryable,
  instanceId: number,
  { kind, changes, actor, now }: { kind: AlertKind; changes: AlertRuleChanges; actor: Actor; now: Date },
): Promise<AlertRule> {
  requireThreshold(kind, changes.threshold);
  // Changes of the rules of one instance take turns.
  await tx.query('select from instances where id = $1 for no key update', [instanceId]);
  const { is_enabled, threshold, by_mail } = (await readRules(tx, [instanceId]))(instanceId, kind);
  const [rule] = await tx.query<AlertRule & Record<string, unknown>>(
    `insert into alert_rules (instance_id, kind, is_enabled, threshold, by_mail, updated_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (instance_id, kind) do update set is_enabled = excluded.is_enabled,
       threshold = excluded.threshold, by_mail = excluded.by_mail, updated_at = excluded.updated_at
     returning kind, is_enabled, threshold, by_mail`,
    [
      instanceId,
      kind,
      changes.is_enabled ?? is_enabled,
      changes.threshold === undefined ? threshold : changes.threshold,
      changes.by_mail ?? by_mail,
      now,
    ],
  );
  await audit(tx, instanceId, { action: 'updated', id: kind, actor, details: changes });
  return rule as AlertRule;
}

function defaultOf(kind: AlertKind): AlertRule {
  return { kind, is_enabled: true, threshold: kindRules[kind].threshold?.value ?? null, by_mail: false };
}

function requireThreshold(kind: AlertKind, wanted: number | null | undefined): void {
  if (wanted === undefined) return;
  const { threshold } = kindRules[kind];
  if (threshold === null && wanted === null) return;
  if (threshold !== null && wanted !== null && wanted >= threshold.min && wanted <= threshold.max) return;
  const message = threshold
    ? `This should be from ${threshold.min} to ${threshold.max}`
    : `${kind} has no threshold: give null or leave it out`;
  throw validationProblem([{ pointer: '/threshold', code: 'value_error.threshold', message }]);
}
