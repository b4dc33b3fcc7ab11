import { audited } from '../../audit/index.ts';
import { changeRestrictions, listRestrictionsByKey, type Restriction } from '../../restrictions/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { CompatContext } from '../compat-context.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { readFilters, readMoment, refused } from './paging.ts';
import { streams } from './streams.ts';

const reasons = {
  hard_bounce: 'HardBounce',
  complaint: 'SpamComplaint',
  manual: 'ManualSuppression',
} as const;
const origins = { hard_bounce: 'Recipient', complaint: 'Recipient', manual: 'Customer' } as const;

/** One answer has all of them: more are exported. */
const maxDumped = 50_000;
const maxChanges = 50;

/** Our restrictions, which hold for both streams. */
export function suppressionRoutes(context: CompatContext): VendorRoute[] {
  return [
    dumpRoute(context),
    changeRoute(context, { path: '/message-streams/:stream/suppressions', status: 'Suppressed' }),
    changeRoute(context, { path: '/message-streams/:stream/suppressions/delete', status: 'Deleted' }),
  ];
}

const filters = ['suppressionreason', 'origin', 'todate', 'fromdate', 'emailaddress'] as const;

function dumpRoute({ db }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/message-streams/:stream/suppressions/dump',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, params, query }) => {
      requireStream(params);
      const given = readFilters(query, filters);
      const rows = await listRestrictionsByKey(db, instance.id, {
        reasons: reasonsOf(given),
        recipient: given.emailaddress,
        from: readMoment('fromdate', given.fromdate, false),
        until: readMoment('todate', given.todate, true),
        limit: maxDumped + 1,
      });
      if (rows.length > maxDumped) {
        throw refused(
          '',
          `There are more than ${maxDumped}: give dates, or use GET /v1/mail-restrictions/export.`,
        );
      }
      return {
        Suppressions: rows.map(({ recipient, reason, created_at }) => ({
          EmailAddress: recipient,
          SuppressionReason: reasons[reason],
          Origin: origins[reason],
          CreatedAt: created_at,
        })),
      };
    },
  };
}

function reasonsOf(given: {
  suppressionreason?: string;
  origin?: string;
}): Restriction['reason'][] | undefined {
  const { suppressionreason, origin } = given;
  if (suppressionreason === undefined && origin === undefined) return undefined;
  const all = Object.keys(reasons) as Restriction['reason'][];
  return all.filter(
    (each) =>
      (suppressionreason === undefined || reasons[each] === suppressionreason) &&
      (origin === undefined || origins[each] === origin),
  );
}

function requireStream({ stream = '' }: VendorCall['params']): void {
  if (!streams.has(stream)) throw refused('MessageStream', 'The message stream is outbound or broadcast.');
}

function changeRoute(
  { db }: CompatContext,
  { path, status }: { path: string; status: 'Suppressed' | 'Deleted' },
): VendorRoute {
  return {
    method: 'POST',
    path,
    scope: 'restrictions:write',
    max_body_bytes: 1024 * 1024,
    handle: async (call) => {
      requireStream(call.params);
      const entries = readEntries(call.body).map((given) => ({
        given,
        address: canonicalAddress(given)?.address,
      }));
      const addresses = entries.flatMap(({ address }) => address ?? []);
      const changes =
        status === 'Suppressed'
          ? { add: addresses.map((recipient) => ({ recipient })) }
          : { remove: addresses };
      if (addresses.length > 0) await audited(db, changeRestrictions)(call, { changes });
      return {
        Suppressions: entries.map(({ given, address }) =>
          address === undefined
            ? { EmailAddress: given, Status: 'Failed', Message: 'An invalid email address was provided.' }
            : { EmailAddress: given, Status: status, Message: null },
        ),
      };
    },
  };
}

function readEntries(body: unknown): string[] {
  const list = (body as { Suppressions?: unknown } | null | undefined)?.Suppressions;
  const isList = Array.isArray(list) && list.length <= maxChanges;
  if (!isList) throw refused('Suppressions', `Suppressions is a list of at most ${maxChanges} entries.`);
  return list.map((each) => {
    const { EmailAddress, ...extra } = (each ?? {}) as Record<string, unknown>;
    if (typeof EmailAddress === 'string' && Object.keys(extra).length === 0) return EmailAddress;
    throw refused('Suppressions', 'Each entry has an EmailAddress and nothing else.');
  });
}
