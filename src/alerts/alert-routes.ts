import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { alertKinds } from './alert-kinds.ts';
import { Alert, alertExample, AlertRule, AlertRuleChanges, ruleExample } from './alert-schemas.ts';
import { countUnread, listAlerts, markRead } from './alerts.ts';
import { changeRule, listRules, readRules } from './rules.ts';

interface Context {
  db: Database;
  clock: Clock;
}

const tag = 'Alerts';
const path = '/v1/alerts' as const;
const read = { kind: 'api_key', scope: 'settings:read', role: 'viewer' } as const;
const write = { kind: 'api_key', scope: 'settings:write', role: 'admin' } as const;

export function alertRoutes({ db, clock }: Context): Operation[] {
  return [
    operation({
      id: 'list_alerts',
      method: 'GET',
      path,
      tag,
      summary: 'List alerts',
      description:
        'What needs attention, newest first. The rules are looked at every minute. One cause raises one alert, which ends by itself when the cause is gone; ended ones are kept for 90 days.',
      access: read,
      query: PageQuery({
        is_open: Type.Optional(
          Nullable(Type.Boolean({ description: 'Only those that last, or that ended.' })),
        ),
        kind: Type.Optional(Nullable(Enum(alertKinds, { description: 'Only of this kind.' }))),
      }),
      success: onePage('alerts', Alert, alertExample),
      errors: [],
      handle: async ({ caller: { instance, actor }, query: filters }) => {
        const user_id = actor.kind === 'user' ? actor.id : undefined;
        return await listAlerts(db, instance.id, { filters, user_id });
      },
    }),
    operation({
      id: 'list_alert_rules',
      method: 'GET',
      path: '/v1/alert-rules',
      tag,
      summary: 'List the rules of alerts',
      description: 'One of each kind, with the default where nothing was chosen.',
      access: read,
      success: {
        status: 200,
        description: 'The rules.',
        schema: Type.Object({ data: Type.Array(AlertRule) }),
        example: { data: [ruleExample] },
      },
      errors: [],
      handle: async ({ caller }) => ({ data: await listRules(db, caller.instance.id) }),
    }),
    ...ruleRoutes({ db, clock }),
  ];
}

const params = Type.Object({ kind: Enum(alertKinds, { description: 'Which rule.' }) });
const rule = { status: 200, description: 'The rule.', schema: AlertRule, example: ruleExample } as const;

function ruleRoutes({ db, clock }: Context): Operation[] {
  type RuleCall = ResourceCall<typeof params>;
  const readRule = async ({ caller, params: { kind } }: Pick<RuleCall, 'caller' | 'params'>) =>
    (await readRules(db, [caller.instance.id]))(caller.instance.id, kind);
  const apply = async (call: RuleCall, changes: AlertRuleChanges) => {
    const {
      caller,
      params: { kind },
    } = call;
    const change = { kind, changes, actor: actorOf(call), now: clock.now() };
    return await db.transaction(async (tx) => await changeRule(tx, caller.instance.id, change));
  };
  const rulePath = '/v1/alert-rules/{kind}' as const;
  const get = operation({
    id: 'get_alert_rule',
    method: 'GET',
    path: rulePath,
    tag,
    summary: 'Read a rule of alerts',
    description: 'With the defaults where nothing was chosen.',
    access: read,
    params,
    success: rule,
    errors: [],
    handle: readRule,
  });
  const patch = operation({
    id: 'update_alert_rule',
    method: 'PATCH',
    path: rulePath,
    tag,
    summary: 'Change a rule of alerts',
    description: 'What is left out stays. Alerts of a rule that is switched off end.',
    access: write,
    params,
    body: AlertRuleChanges,
    body_example: { threshold: 0.03, by_mail: true },
    success: rule,
    errors: [],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'AlertRuleReplacement',
    summary: 'Replace a rule of alerts',
    params,
    creation: Type.Object({}),
    changes: AlertRuleChanges,
    fixed: ['kind'],
    read: readRule,
    apply,
  });
  return [get, patch, put];
}

/** The bell: what this person has seen. */
export function alertPanelRoutes({ db, clock }: Context): Operation[] {
  const access = { kind: 'user', role: 'viewer' } as const;
  return [
    operation({
      id: 'panel_count_unread_alerts',
      method: 'GET',
      path: '/v1/private/alerts/unread',
      tag,
      summary: 'Count the alerts that were not seen',
      description: 'Open ones, up to 100.',
      access,
      success: {
        status: 200,
        description: 'How many.',
        schema: Type.Object({ unread: Type.Integer() }, { $id: 'UnreadAlerts' }),
        example: { unread: 2 },
      },
      errors: [],
      handle: async ({ caller: { instance, actor } }) => ({
        unread: await countUnread(db, instance.id, Number(actor.id)),
      }),
    }),
    operation({
      id: 'panel_read_alerts',
      method: 'POST',
      path: '/v1/private/alerts/read',
      tag,
      summary: 'Mark alerts as seen',
      description: 'By this person. Without `ids`: all.',
      access,
      while_disabled: true,
      body: Type.Object(
        { ids: Type.Optional(Type.Array(Id('Identifier of an alert.'), { maxItems: 100 })) },
        { $id: 'SeenAlerts' },
      ),
      body_example: { ids: [12] },
      success: { status: 204, description: 'Marked.' },
      errors: [],
      handle: async ({ caller: { instance, actor }, body: { ids } }) =>
        await markRead(db, instance.id, { user_id: Number(actor.id), ids, now: clock.now() }),
    }),
  ];
}
