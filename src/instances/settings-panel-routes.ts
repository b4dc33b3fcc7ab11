import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { actorOf } from '../audit/index.ts';
import { getInstance, updateInstance, type Instance } from './instances.ts';
import { addressAllowed, validateRanges, parseRange } from './ip-allowlist.ts';
import { InstanceSettings, InstanceSettingsChanges, settingsExample } from './settings-schemas.ts';

const tag = 'Settings';
const path = '/v1/private/instance';
const settings = { status: 200, description: 'The instance.', schema: InstanceSettings } as const;

export function settingsPanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_get_instance',
      method: 'GET',
      path,
      tag,
      summary: 'Read the settings of the instance',
      description: 'Its name, zone and limits.',
      access: { kind: 'user', role: 'viewer' },
      success: { ...settings, example: settingsExample },
      errors: [],
      handle: async ({ caller }) => shown(await getInstance(db, caller.instance.slug)),
    }),
    operation({
      id: 'panel_update_instance',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change the settings of the instance',
      description:
        'Its name, its zone and the addresses that may call it; what is left out stays. Limits are set by the operator. A list without the address of the caller is refused, so that you cannot lock yourself out.',
      access: { kind: 'user', role: 'admin' },
      body: InstanceSettingsChanges,
      body_example: { timezone: 'America/Santiago' },
      success: { ...settings, example: settingsExample },
      errors: ['ip_allowlist_excludes_caller'],
      handle: async (call) => {
        const changes = changesIn(call.body);
        requireOwnAddress(changes.ip_allowlist ?? [], call.address);
        const change = { changes, actor: actorOf(call) };
        const { slug } = call.caller.instance;
        return shown(await db.transaction(async (tx) => await updateInstance(tx, slug, change)));
      },
    }),
  ];
}

/** Picks these members only: a body may have others, such as limits that belong to the operator. */
function changesIn({ name, timezone, ip_allowlist }: InstanceSettingsChanges): InstanceSettingsChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(ip_allowlist === undefined ? {} : { ip_allowlist }),
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
  const { plan_send_limit, attachment_limit_bytes, retention_months, created_at, updated_at } = instance;
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
    created_at,
    updated_at,
  };
}
