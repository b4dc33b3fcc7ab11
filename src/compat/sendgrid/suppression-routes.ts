import { audited } from '../../audit/index.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import {
  changeRestrictions,
  findRestrictions,
  listRestrictionsByKey,
  type Restriction,
} from '../../restrictions/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { CompatContext } from '../compat-context.ts';
import { Answer, type VendorCall, type VendorRoute } from '../vendor.ts';

const maxLimit = 500;
const maxOffset = 10_000;
const maxChanges = 1_000;
const max_body_bytes = 1024 * 1024;

/** Lists of SendGrid, and which of our restrictions are on each. A block does not restrict an address here, so its list is empty. */
const lists = {
  bounces: 'hard_bounce',
  blocks: undefined,
  spam_reports: 'complaint',
  unsubscribes: 'manual',
} as const satisfies Record<string, Restriction['reason'] | undefined>;
type ListName = keyof typeof lists;

export function suppressionRoutes(context: CompatContext): VendorRoute[] {
  return [
    ...(Object.keys(lists) as ListName[]).flatMap((name) => listRoutes(context, name)),
    ...globalRoutes(context),
  ];
}

function listRoutes({ db }: CompatContext, name: ListName): VendorRoute[] {
  const reason = lists[name];
  const path = `/v3/suppression/${name}`;
  const remove = async (call: VendorCall, addresses: string[]): Promise<Answer> => {
    const found = await ofList(db, call, { reason, addresses });
    if (found.length === 0) throw new Problem('mail_restriction_not_found');
    await audited(db, changeRestrictions)(call, {
      changes: { remove: found.map(({ recipient }) => recipient) },
    });
    return new Answer({ status: 204 });
  };
  return [
    {
      method: 'GET',
      path,
      scope: 'mail:read',
      handle: async ({ caller: { instance }, query }) => {
        const { limit, offset } = readPage(query);
        if (reason === undefined) return [];
        const rows = await listRestrictionsByKey(db, instance.id, {
          reasons: [reason],
          recipient: query.get('email') ?? undefined,
          from: readSecond(query, 'start_time'),
          until: readSecond(query, 'end_time'),
          limit,
          offset,
        });
        return rows.map((row) => entryOf(row, name));
      },
    },
    {
      method: 'GET',
      path: `${path}/:email`,
      scope: 'mail:read',
      handle: async (call) => {
        const rows = await ofList(db, call, { reason, addresses: [addressOf(call)] });
        return rows.map((row) => entryOf(row, name));
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:email`,
      scope: 'restrictions:write',
      handle: async (call) => await remove(call, [addressOf(call)]),
    },
    {
      method: 'DELETE',
      path,
      scope: 'restrictions:write',
      max_body_bytes,
      handle: async (call) => {
        const { emails, delete_all } = (call.body ?? {}) as { emails?: unknown; delete_all?: unknown };
        if (delete_all === true) throw refused('delete_all', 'Name the addresses: emails is a list of them.');
        return await remove(call, readEmails(emails, 'emails'));
      },
    },
  ];
}

/** Global unsubscribes: every restricted address, for any reason. */
function globalRoutes({ db }: CompatContext): VendorRoute[] {
  const path = '/v3/asm/suppressions/global';
  return [
    {
      method: 'GET',
      path: `${path}/:email`,
      scope: 'mail:read',
      handle: async (call) => {
        const [row] = await findRestrictions(db, call.caller.instance.id, [addressOf(call)]);
        return row ? { recipient_email: row.recipient } : {};
      },
    },
    {
      method: 'POST',
      path,
      scope: 'restrictions:write',
      max_body_bytes,
      handle: async (call) => {
        const { recipient_emails } = (call.body ?? {}) as { recipient_emails?: unknown };
        const emails = readEmails(recipient_emails, 'recipient_emails');
        const changes = { add: emails.map((recipient) => ({ recipient })) };
        await audited(db, changeRestrictions)(call, { changes });
        return new Answer({ status: 201, body: { recipient_emails: emails } });
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:email`,
      scope: 'restrictions:write',
      handle: async (call) => {
        const address = addressOf(call);
        const found = await findRestrictions(db, call.caller.instance.id, [address]);
        if (found.length === 0) throw new Problem('mail_restriction_not_found');
        await audited(db, changeRestrictions)(call, { changes: { remove: [address] } });
        return new Answer({ status: 204 });
      },
    },
  ];
}

async function ofList(
  db: CompatContext['db'],
  { caller }: VendorCall,
  { reason, addresses }: { reason: Restriction['reason'] | undefined; addresses: string[] },
): Promise<Restriction[]> {
  if (reason === undefined) return [];
  const rows = await findRestrictions(db, caller.instance.id, addresses);
  return rows.filter((row) => row.reason === reason);
}

function entryOf({ recipient, detail, created_at }: Restriction, name: ListName) {
  const created = Math.floor(new Date(created_at).getTime() / 1000);
  if (name === 'unsubscribes') return { created, email: recipient };
  if (name === 'spam_reports') return { created, email: recipient, ip: '' };
  const [status = ''] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(detail ?? '') ?? [];
  return { created, email: recipient, reason: detail ?? '', status };
}

function readPage(query: URLSearchParams): { limit: number; offset: number } {
  const read = (name: string, fallback: number, most: number): number => {
    const given = query.get(name);
    if (given === null || given === '') return fallback;
    if (/^\d{1,9}$/.test(given) && Number(given) <= most) return Number(given);
    throw refused(name, `${name} is a whole number up to ${most}.`);
  };
  return { limit: read('limit', maxLimit, maxLimit), offset: read('offset', 0, maxOffset) };
}

function readSecond(query: URLSearchParams, name: string): Date | undefined {
  const given = query.get(name);
  if (given === null || given === '') return undefined;
  if (/^\d{1,11}$/.test(given)) return new Date(Number(given) * 1000);
  throw refused(name, `${name} is a Unix time in seconds.`);
}

function addressOf({ params }: VendorCall): string {
  const { email = '' } = params;
  return canonicalAddress(email)?.address ?? email;
}

function readEmails(given: unknown, field: string): string[] {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= maxChanges;
  if (!isList) throw refused(field, `${field} is a list of 1 to ${maxChanges} addresses.`);
  return given.map((each, index) => {
    const address = typeof each === 'string' ? canonicalAddress(each)?.address : undefined;
    if (address === undefined) throw refused(`${field}/${index}`, 'Does not contain a valid address.');
    return address;
  });
}

function refused(field: string, message: string): Problem {
  return validationProblem([{ pointer: `/${field}`, code: 'value_error', message }]);
}
