import type { Actor } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { isWithin, parseRange, validateRanges } from '../instances/index.ts';

/** What limits a credential beside its scopes. */
export interface Bounds {
  /** Addresses or ranges it may be used from; empty: any. */
  ip_allowlist: string[];
  expires_at: Date | null;
  /** Whatever it is asked to send, only sandbox recipients are written to. */
  sandbox_only: boolean;
}

interface WantedBounds {
  scopes?: readonly string[];
  /** The scope that it stands for, where it has none of its own. */
  stands_for?: string;
  ip_allowlist?: string[] | undefined;
  expires_at?: Date | null | undefined;
  sandbox_only?: boolean | undefined;
}

interface Maker extends Bounds {
  scopes: string[];
}

/**
 * The bounds of a new credential: as they are wanted, and where a key makes it, those of that key for what is not wanted. A key that
 * makes a credential with more than its own scopes, addresses or time is refused.
 */
export async function boundsWithin(
  tx: Queryable,
  instanceId: number,
  { wanted, actor }: { wanted: WantedBounds; actor: Actor },
): Promise<Bounds> {
  const { ip_allowlist = [], expires_at = null, sandbox_only = false } = wanted;
  const given = { ip_allowlist, expires_at, sandbox_only };
  const violations = validateRanges(ip_allowlist);
  if (violations.length > 0) throw validationProblem(violations);
  if (actor.kind !== 'api_key') return given;
  const maker = await lockMaker(tx, instanceId, actor);
  const beyond = [scopesBeyond, rangesBeyond, timeBeyond].flatMap((find) => find(wanted, maker));
  if (beyond.length > 0) throw validationProblem(beyond);
  return {
    ip_allowlist: ip_allowlist.length > 0 ? ip_allowlist : maker.ip_allowlist,
    expires_at: expires_at ?? maker.expires_at,
    sandbox_only: sandbox_only || maker.sandbox_only,
  };
}

/** Locked, so that a key makes nothing once its revocation is committed. */
async function lockMaker(tx: Queryable, instanceId: number, { id }: Actor): Promise<Maker> {
  const [maker] = await tx.query<Maker & Record<string, unknown>>(
    `select scopes, ip_allowlist::text[], expires_at, sandbox_only from api_keys
     where instance_id = $1 and id = $2 and revoked_at is null for share`,
    [instanceId, id],
  );
  if (!maker) throw new Problem('unauthorized');
  return maker;
}

function scopesBeyond({ scopes = [], stands_for }: WantedBounds, maker: Maker): Violation[] {
  const wanted = scopes.map((scope, index) => ({ scope, pointer: `/scopes/${index}` }));
  if (stands_for !== undefined) wanted.push({ scope: stands_for, pointer: '' });
  return wanted
    .filter(({ scope }) => !maker.scopes.includes(scope))
    .map(({ scope, pointer }) => {
      const message = `The key that calls does not have ${scope} itself`;
      return { pointer, code: 'value_error.scope_not_held', message };
    });
}

function rangesBeyond({ ip_allowlist = [] }: WantedBounds, maker: Maker): Violation[] {
  const own = maker.ip_allowlist.map(parseRange);
  if (own.length === 0) return [];
  return ip_allowlist.flatMap((range, index) => {
    if (own.some((each) => isWithin(parseRange(range), each))) return [];
    const message = 'The key that calls may not be used from there itself';
    return [{ pointer: `/ip_allowlist/${index}`, code: 'value_error.range_not_held', message }];
  });
}

function timeBeyond({ expires_at }: WantedBounds, maker: Maker): Violation[] {
  if (!expires_at || !maker.expires_at || expires_at <= maker.expires_at) return [];
  const message = 'The key that calls expires before';
  return [{ pointer: '/expires_at', code: 'value_error.expiry_not_held', message }];
}
