import { Type, type TObject } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { actorOf } from '../audit/index.ts';
import { getInstance, updateInstance, type Instance } from './instances.ts';
import { addressAllowed, validateRanges, parseRange } from './ip-allowlist.ts';
import { InstanceSettings, InstanceSettingsChanges, settingsExample } from './settings-schemas.ts';

const tag = 'Settings';
const path = '/v1/instance';
const settings = { status: 200, description: 'The instance.', schema: InstanceSettings } as const;

export function settingsRoutes({ db }: { db: Database }): Operation[] {
  const read = async ({ caller }: Pick<SettingsCall, 'caller'>): Promise<InstanceSettings> =>
    shown(await getInstance(db, caller.instance.slug));
  const get = operation({
    id: 'get_instance',
    method: 'GET',
    path,
    tag,
    summary: 'Read the settings of the instance',
    description: 'Its name, zone and limits.',
    access: { kind: 'api_key', scope: 'settings:read' },
    success: { ...settings, example: settingsExample },
    errors: [],
    handle: read,
  });
  return [get, ...updateRoutes(db, read)];
}

function updateRoutes(db: Database, read: (call: SettingsCall) => Promise<InstanceSettings>): Operation[] {
  const apply = async (call: SettingsCall, body: InstanceSettingsChanges) => {
    const changes = changesIn(body);
    requireOwnAddress(changes.ip_allowlist ?? [], call.address);
    const change = { changes, actor: actorOf(call) };
    const { slug } = call.caller.instance;
    return shown(await db.transaction(async (tx) => await updateInstance(tx, slug, change)));
  };
  const patch = operation({
    id: 'update_instance',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change the settings of the instance',
    description:
      'Its name, its zone and the addresses that may call it; what is left out stays. Limits are set by the operator. A list without the address of the caller is refused, so that you cannot lock yourself out. Who demands a second factor of members needs one; for a key, an owner does.',
    access: { kind: 'api_key', scope: 'settings:write', role: 'admin' },
    body: InstanceSettingsChanges,
    body_example: { timezone: 'America/Santiago' },
    success: { ...settings, example: settingsExample },
    errors: ['ip_allowlist_excludes_caller', 'second_factor_rule_locks_out'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'InstanceSettingsReplacement',
    summary: 'Replace the settings of the instance',
    creation: Type.Object({}),
    changes: InstanceSettingsChanges,
    fixed: [],
    read,
    apply,
  });
  return [patch, put];
}

type SettingsCall = Omit<ResourceCall<TObject>, 'params'>;

/** Picks these members only: a body may have others, such as limits that belong to the operator. */
function changesIn(changes: InstanceSettingsChanges): InstanceSettingsChanges {
  const { name, timezone, ip_allowlist, requires_second_factor, reply_withdrawal } = changes;
  return {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(ip_allowlist === undefined ? {} : { ip_allowlist }),
    ...(requires_second_factor === undefined ? {} : { requires_second_factor }),
    ...(reply_withdrawal === undefined ? {} : { reply_withdrawal }),
  };
}

function requireOwnAddress(ranges: string[], address: string): void {
  // Invalid ranges are reported by the rules of the setting.
  if (validateRanges(ranges).length > 0 || addressAllowed(address, ranges.map(parseRange))) return;
  throw new Problem('ip_allowlist_excludes_caller');
}

/** Rate and bandwidth limits are internal to the operator. */
function shown(instance: Instance): InstanceSettings {
  const { slug, name, timezone, ip_allowlist, is_enabled, subscription_status } = instance;
  const { plan_send_limit, attachment_limit_bytes, retention_months, requires_second_factor } = instance;
  const { reply_withdrawal, created_at, updated_at } = instance;
  return {
    slug,
    name,
    timezone,
    ip_allowlist,
    is_enabled,
    subscription_status,
    plan_send_limit,
    attachment_limit_bytes,
    retention_months,
    requires_second_factor,
    reply_withdrawal,
    created_at,
    updated_at,
  };
}
