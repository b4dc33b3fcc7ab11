import { audited } from '../../audit/index.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import {
  changeRestrictions,
  findRestrictions,
  getRestriction,
  listRestrictionsByKey,
  type Restriction,
} from '../../restrictions/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { CompatContext } from '../compat-context.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { pageOf, readCursor, readIntegerId } from './cursor.ts';
import { membersOf, refused } from './members.ts';

const max_body_bytes = 1024 * 1024;
const maxChanges = 1_000;

const origins = { hard_bounce: 'bounce', complaint: 'complaint', manual: 'manual' } as const;

function suppressionOf({ id, recipient, reason, mail_id, created_at }: Restriction) {
  return { id: String(id), email: recipient, origin: origins[reason], source_id: mail_id, created_at };
}

/** Our restrictions: addresses that no sender of the instance writes to. */
export function suppressionRoutes(context: CompatContext): VendorRoute[] {
  return [...readRoutes(context), ...addRoutes(context), ...removeRoutes(context)];
}

function readRoutes({ db }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/suppressions',
      scope: 'mail:read',
      handle: async ({ caller: { instance }, query }) => {
        const { limit, after, before } = readCursor(query, readIntegerId);
        const origin = query.get('origin');
        const reasons = Object.entries(origins).flatMap(([reason, name]) =>
          name === origin ? [reason] : [],
        );
        if (origin !== null && reasons.length === 0) {
          throw refused('origin', 'The `origin` is `bounce`, `complaint` or `manual`.');
        }
        const rows = await listRestrictionsByKey(db, instance.id, {
          reasons: origin === null ? undefined : (reasons as Restriction['reason'][]),
          after,
          before,
          limit: limit + 1,
        });
        // Read newest first in either direction: the one beyond the limit is at the end that is farther away.
        const { data, has_more } = pageOf(before === undefined ? rows : rows.toReversed(), { limit, before });
        return { object: 'list', has_more, data: data.map(suppressionOf) };
      },
    },
    {
      method: 'GET',
      path: '/suppressions/:id',
      scope: 'mail:read',
      handle: async (call) => ({ object: 'suppression', ...suppressionOf(await findOne(db, call)) }),
    },
  ];
}

async function findOne(db: CompatContext['db'], { caller, params }: VendorCall): Promise<Restriction> {
  const { id = '' } = params;
  if (!id.includes('@')) return await getRestriction(db, caller.instance.id, readIntegerId(id));
  const [row] = await findRestrictions(db, caller.instance.id, [canonicalAddress(id)?.address ?? id]);
  if (!row) throw new Problem('mail_restriction_not_found');
  return row;
}

function addRoutes({ db }: CompatContext): VendorRoute[] {
  const add = async (call: VendorCall, emails: string[]) => {
    const changes = { add: emails.map((recipient) => ({ recipient })) };
    await audited(db, changeRestrictions)(call, { changes });
    return await inOrder(db, call, emails);
  };
  return [
    {
      method: 'POST',
      path: '/suppressions',
      scope: 'restrictions:write',
      max_body_bytes,
      handle: async (call) => {
        const [row] = await add(call, [readEmail(membersOf(call.body, ['email'])['email'], '/email')]);
        return { object: 'suppression', id: row?.id };
      },
    },
    {
      method: 'POST',
      path: '/suppressions/batch/add',
      scope: 'restrictions:write',
      max_body_bytes,
      handle: async (call) => {
        const emails = readEmails(membersOf(call.body, ['emails'])['emails']);
        return { data: (await add(call, emails)).map(({ id }) => ({ object: 'suppression', id })) };
      },
    },
  ];
}

function removeRoutes({ db }: CompatContext): VendorRoute[] {
  const remove = async (call: VendorCall, rows: Restriction[]): Promise<void> =>
    void (await audited(db, changeRestrictions)(call, {
      changes: { remove: rows.map(({ recipient }) => recipient) },
    }));
  return [
    {
      method: 'DELETE',
      path: '/suppressions/:id',
      scope: 'restrictions:write',
      handle: async (call) => {
        const row = await findOne(db, call);
        await remove(call, [row]);
        return { object: 'suppression', id: String(row.id), deleted: true };
      },
    },
    {
      method: 'POST',
      path: '/suppressions/batch/remove',
      scope: 'restrictions:write',
      max_body_bytes,
      handle: async (call) => {
        const { emails, ids } = membersOf(call.body, ['emails', 'ids']);
        const found =
          ids === undefined
            ? await findRestrictions(db, call.caller.instance.id, readEmails(emails))
            : await byIds(db, call, readList(ids, 'ids'));
        await remove(call, found);
        return { data: found.map(({ id }) => ({ object: 'suppression', id: String(id), deleted: true })) };
      },
    },
  ];
}

async function byIds(db: CompatContext['db'], call: VendorCall, ids: string[]): Promise<Restriction[]> {
  const found: Restriction[] = [];
  for (const id of ids) found.push(await findOne(db, { ...call, params: { id } }));
  return found;
}

async function inOrder(
  db: CompatContext['db'],
  { caller }: VendorCall,
  emails: string[],
): Promise<{ id: string }[]> {
  const rows = await findRestrictions(db, caller.instance.id, emails);
  const byKey = new Map(rows.map((row) => [row.recipient.toLowerCase(), row]));
  return emails.map((email) => ({ id: String(byKey.get(email.toLowerCase())?.id ?? '') }));
}

function readList(given: unknown, field: string): string[] {
  const isList = Array.isArray(given) && given.every((each) => typeof each === 'string');
  if (!isList || given.length === 0 || given.length > maxChanges) {
    throw refused(field, `\`${field}\` is a list of 1 to ${maxChanges} texts.`);
  }
  return given;
}

function readEmails(given: unknown): string[] {
  return readList(given, 'emails').map((each, index) => readEmail(each, `/emails/${index}`));
}

function readEmail(given: unknown, pointer: string): string {
  const address = typeof given === 'string' ? canonicalAddress(given)?.address : undefined;
  if (address !== undefined) return address;
  const message = `Invalid \`${pointer.slice(1)}\` field: this is not a valid email address.`;
  throw validationProblem([
    { pointer, code: given === undefined ? 'missing' : 'value_error.email', message },
  ]);
}
