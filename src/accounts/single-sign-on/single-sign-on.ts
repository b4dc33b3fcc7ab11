import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import { accountEmail, storedEmails } from '../account-email.ts';
import { redeemInvitations, hasOpenInvitation } from '../accept-invitation.ts';
import { enterAccount } from '../enter-account.ts';
import { recordAct, signIn, type SignInContext } from '../sign-in.ts';
import type { OpenSession } from '../sessions.ts';
import { findLinkedUser, linkIdentity, noteIdentityUse } from './identities.ts';
import type { PasskeyAssertion } from '../passkeys/passkey-schemas.ts';
import type { SingleSignOnCompletion } from './single-sign-on-schemas.ts';
import { ProviderRefusal, ProviderUnavailable, type Identity, type Provider } from './provider.ts';
import type { Pending } from './sealed-cookie.ts';

export interface SingleSignOnContext extends SignInContext {
  log: Log;
  /** Undefined where the operator named none. */
  provider: Provider | undefined;
}

interface Visitor {
  address: string;
  user_agent: string | undefined;
}

type Entered =
  | { kind: 'signed_in'; session: OpenSession }
  | { kind: 'needs_more'; pending: Exclude<Pending, { step: 'provider' }> };

export function requireProvider({ provider }: Pick<SingleSignOnContext, 'provider'>): Provider {
  if (!provider) throw new Problem('single_sign_on_disabled');
  return provider;
}

export async function beginSingleSignOn(
  context: SingleSignOnContext,
): Promise<{ url: string; pending: Pending }> {
  const provider = requireProvider(context);
  const { url, checks } = await provider.begin().catch((error: unknown) => refuse(context, error));
  return { url, pending: { step: 'provider', checks } };
}

/** What the provider says is looked at in the browser that began: `pending` comes from its cookie. */
export async function finishSingleSignOn(
  context: SingleSignOnContext,
  { query, pending, visitor }: { query: string; pending: Pending | undefined; visitor: Visitor },
): Promise<Entered> {
  const provider = requireProvider(context);
  if (pending?.step !== 'provider') throw new Problem('single_sign_on_failed');
  // Each try costs the provider a request.
  const attempt = await context.checks.countVisit(visitor.address);
  const identity = await provider
    .finish(query, pending.checks)
    .catch((error: unknown) => refuse(context, error));
  await attempt.takeBack();
  const linked = await findLinkedUser(context.db, identity);
  if (!linked) return await enterByEmail(context, { identity, visitor });
  const email = accountEmail(identity.email ?? '');
  if (linked.has_second_factor) return { kind: 'needs_more', pending: { step: 'code', identity, email } };
  return { kind: 'signed_in', session: await enterLinked(context, identity, visitor) };
}

/** With what the account asks for beside the word of the provider. */
export async function completeSingleSignOn(
  context: SingleSignOnContext,
  {
    pending,
    given,
    visitor,
  }: {
    pending: Pending | undefined;
    given: Static<typeof SingleSignOnCompletion>;
    visitor: Visitor;
  },
): Promise<OpenSession> {
  requireProvider(context);
  if (pending === undefined || pending.step === 'provider') throw new Problem('single_sign_on_failed');
  const { identity, email } = pending;
  const { code, passkey } = given;
  if (pending.step === 'code') return await enterLinked(context, identity, { ...visitor, code, passkey });
  const login = { email, password: given.password ?? '', code, passkey, ...visitor };
  return await signIn(context, login, async (tx, userId) => {
    const now = context.clock.now();
    await linkIdentity(tx, userId, { identity, email, now });
    await recordAct(tx, userId, { action: 'user.identity_linked', address: visitor.address });
  });
}

/** A person whom no account is linked to yet. */
async function enterByEmail(
  context: SingleSignOnContext,
  { identity, visitor }: { identity: Identity; visitor: Visitor },
): Promise<Entered> {
  const { db, clock, checks } = context;
  if (identity.email === undefined || !identity.is_email_verified)
    throw new Problem('single_sign_on_email_unverified');
  const email = accountEmail(identity.email);
  // An account that exists wants proof: at another provider the address may be another person's.
  const asking: Entered = { kind: 'needs_more', pending: { step: 'password', identity, email } };
  if (await hasAccount(db, email)) return asking;
  const now = clock.now();
  const mayCreate = requireProvider(context).settings.creates_accounts;
  if (!mayCreate && !(await hasOpenInvitation(db, email, now)))
    throw new Problem('single_sign_on_no_account');
  const password_hash = await checks.hash(randomBytes(32).toString('base64url'));
  const userId = await db.transaction(async (tx) => {
    const [created] = await tx.query<{ id: number }>(
      `insert into users (email, name, password_hash, has_password) values ($1, $2, $3, false)
       on conflict (email) do nothing returning id`,
      [email, identity.name, password_hash],
    );
    if (!created) return undefined;
    const { address } = visitor;
    const joined = await redeemInvitations(tx, { user_id: created.id, email, now, address });
    // The invitation was revoked meanwhile.
    if (!mayCreate && joined === 0) throw new Problem('single_sign_on_no_account');
    await linkIdentity(tx, created.id, { identity, email, now });
    await recordAct(tx, created.id, { action: 'user.created', address });
    await recordAct(tx, created.id, { action: 'user.identity_linked', address });
    return created.id;
  });
  if (userId === undefined) return asking;
  return { kind: 'signed_in', session: await enterLinked(context, identity, visitor) };
}

async function enterLinked(
  context: SingleSignOnContext,
  identity: Identity,
  visitor: Visitor & { code?: string | undefined; passkey?: PasskeyAssertion | undefined },
): Promise<OpenSession> {
  const linked = await findLinkedUser(context.db, identity);
  if (!linked) throw new Problem('single_sign_on_failed');
  return await enterAccount(context, {
    ...visitor,
    user_id: linked.id,
    method: 'single_sign_on',
    within: async (tx, now) => {
      if (!(await noteIdentityUse(tx, identity, now))) throw new Problem('single_sign_on_failed');
    },
  });
}

async function hasAccount(db: Queryable, email: string): Promise<boolean> {
  const found = await db.query('select from users where email = any($1) limit 1', [storedEmails(email)]);
  return found.length > 0;
}

/** The reason is for the operator's log: a stranger's browser is told only what to do. */
function refuse({ log }: SingleSignOnContext, error: unknown): never {
  if (error instanceof ProviderUnavailable) {
    log.warn({ reason: error.message }, 'the sign-in provider cannot be used');
    throw new Problem('single_sign_on_unavailable');
  }
  if (error instanceof ProviderRefusal) {
    log.info({ reason: error.message }, 'a sign-in by the provider failed');
    throw new Problem('single_sign_on_failed');
  }
  throw error;
}
