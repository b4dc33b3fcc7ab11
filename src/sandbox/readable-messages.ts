import { addressKey } from '../base/db/address-key.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Caller, Role } from '../base/http/access.ts';

/** Who reads the inbox; absent for an operator at the command line, who reads everything. */
export interface Reader {
  role: Role;
  user_id: number;
}

export function readerOf({ actor }: Caller): Reader {
  if (actor.kind !== 'user') throw new Error('the sandbox is read by members');
  return { role: actor.role, user_id: actor.id };
}

/** The link lets its reader in with the role of the invitation: only owners invite owners. */
const invitesOwner = `s.platform_kind = 'invitation' and exists (
  select from invitations v where v.instance_id = s.instance_id and v.role = 'owner' and v.email = ${addressKey('s.recipient')})`;

const ofAdmins = `s.platform_kind <> 'password-reset'`;

/**
 * Mail of the instance is for all of its members. Mail of the platform has links that are credentials: an owner or an admin reads what was
 * written for the instance, since they could send it themselves; a password link is read by the owner of the account and nobody
 * else. `s` is the captured message.
 */
function readableBy({ role }: Reader, user: string): string {
  const own = `s.platform_kind = 'password-reset' and ${addressKey('s.recipient')} = (
    select lower(email) from users where id = ${user})`;
  const others = {
    owner: [ofAdmins],
    admin: [`${ofAdmins} and not (${invitesOwner})`],
    developer: [],
    viewer: [],
  };
  return [`s.platform_kind is null`, own, ...others[role]].map((each) => `(${each})`).join(' or ');
}

/** On captured messages `s` of the instance, which is the first value. */
export function readableMessages(instanceId: number, reader: Reader | undefined): Conditions {
  const conditions = new Conditions().where('s.instance_id = ?', instanceId);
  if (!reader) return conditions;
  const user = conditions.value(reader.user_id);
  return conditions.always(`(${readableBy(reader, user)})`);
}
