import type { Queryable } from '../../base/db/database.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import type { RootSecret } from '../../base/secrets.ts';
import { coseAlgorithms } from '../../protocol/webauthn/cose-key.ts';
import { challengeOf, verifyAssertion, verifyRegistration } from '../../protocol/webauthn/verify.ts';
import { replaceRecoveryCodes } from '../second-factor.ts';
import { Challenges } from './challenges.ts';
import type { Passkey, PasskeyAssertion, PasskeyRegistration } from './passkey-schemas.ts';
import { userHandle, type RelyingParty } from './relying-party.ts';

const timeout = 5 * 60_000;
const maxPerUser = 20;
const columns = 'id, name, is_backed_up, created_at, last_used_at';

export interface Answer {
  assertion: PasskeyAssertion;
  /** Whether the authenticator has to know its owner: then it counts as both factors. */
  must_verify: boolean;
  /** Undefined: the credential says who it is. */
  user_id?: number | undefined;
  now: Date;
}

/** Keys of one installation (WebAuthn Level 3), or none where browsers offer them none. */
export class Passkeys {
  readonly party: RelyingParty | undefined;
  readonly #secret: RootSecret;
  readonly #challenges: Challenges;

  constructor(secret: RootSecret, party: RelyingParty | undefined) {
    this.#secret = secret;
    this.party = party;
    this.#challenges = new Challenges(secret);
  }

  /** The same for everybody: which account it will be is in the authenticator. */
  requestOptions(now: Date): Record<string, unknown> {
    const challenge = this.#challenges.issue('sign-in', now);
    return {
      challenge,
      rpId: this.#required().id,
      userVerification: 'required',
      timeout,
      allowCredentials: [],
    };
  }

  async creationOptions(
    db: Queryable,
    { user_id, session_id, now }: { user_id: number; session_id: string; now: Date },
  ): Promise<Record<string, unknown>> {
    const { id } = this.#required();
    const [user] = await db.query<{ email: string; name: string; known: Buffer[] }>(
      `select email, name, array(select credential_id from passkeys where user_id = u.id) as known
       from users u where id = $1`,
      [user_id],
    );
    if (!user) throw new Problem('unauthorized');
    const { email, known } = user;
    if (known.length >= maxPerUser) throw new Problem('passkey_limit_reached');
    return {
      challenge: this.#challenges.issue(purposeOf(user_id, session_id), now),
      rp: { id, name: 'Chasqui' },
      user: { id: userHandle(this.#secret, user_id), name: email, displayName: user.name || email },
      pubKeyCredParams: coseAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout,
      attestation: 'none',
      excludeCredentials: known.map((each) => ({ type: 'public-key', id: each.toString('base64url') })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    };
  }

  /** The first second factor of an account comes with recovery codes. */
  async add(
    tx: Queryable,
    {
      user_id,
      session_id,
      name,
      credential,
      now,
    }: {
      user_id: number;
      session_id: string;
      name: string;
      credential: PasskeyRegistration;
      now: Date;
    },
  ): Promise<{ passkey: Passkey; recovery_codes: string[] | null }> {
    const party = this.#required();
    const challenge = challengeOf(bytesOf(credential.response.clientDataJSON));
    const isOurs = this.#challenges.isValid(challenge, purposeOf(user_id, session_id), now);
    if (!isOurs) throw notAccepted();
    const info = verifyRegistration(
      {
        client_data: bytesOf(credential.response.clientDataJSON),
        attestation_object: bytesOf(credential.response.attestationObject),
      },
      { challenge, origin: party.origin, rp_id: party.id, must_verify: true },
    );
    if (!info || !(await this.#challenges.use(tx, challenge, now))) throw notAccepted();
    // Additions of one user take turns.
    const [user] = await tx.query<{ has_app: boolean; count: number }>(
      `select two_factor_enabled_at is not null as has_app,
         (select count(*) from passkeys where user_id = u.id) as count
       from users u where id = $1 for no key update`,
      [user_id],
    );
    if (!user) throw new Problem('unauthorized');
    if (user.count >= maxPerUser) throw new Problem('passkey_limit_reached');
    const [passkey] = await tx.query<Passkey & Record<string, unknown>>(
      `insert into passkeys
         (user_id, credential_id, public_key, sign_count, transports, name, is_backed_up, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning ${columns}`,
      [
        user_id,
        info.credential_id,
        info.public_key,
        info.sign_count,
        credential.response.transports ?? [],
        name,
        info.is_backed_up,
        now,
      ],
    );
    if (!passkey) throw notAccepted();
    const isFirst = !user.has_app && user.count === 0;
    return { passkey, recovery_codes: isFirst ? await replaceRecoveryCodes(tx, user_id) : null };
  }

  /**
   * Whose it is, if the answer is genuine, given here, fresh, and new. Undefined for every problem of it: that is
   * nothing a stranger needs to know.
   */
  async take(tx: Queryable, { assertion, must_verify, user_id, now }: Answer): Promise<number | undefined> {
    if (!this.party) return undefined;
    const challenge = challengeOf(bytesOf(assertion.response.clientDataJSON));
    if (!this.#challenges.isValid(challenge, 'sign-in', now)) return undefined;
    // Uses of one key take turns, so that its counter is compared with the last one.
    const [known] = await tx.query<{ id: number; user_id: number; public_key: Buffer; sign_count: number }>(
      'select id, user_id, public_key, sign_count from passkeys where credential_id = $1 for no key update',
      [bytesOf(assertion.id)],
    );
    if (!known || (user_id !== undefined && known.user_id !== user_id)) return undefined;
    const handle = assertion.response.userHandle;
    if (handle && handle !== userHandle(this.#secret, known.user_id)) return undefined;
    const { clientDataJSON, authenticatorData, signature } = assertion.response;
    const info = verifyAssertion(
      {
        client_data: bytesOf(clientDataJSON),
        authenticator_data: bytesOf(authenticatorData),
        signature: bytesOf(signature),
      },
      known,
      { challenge, origin: this.party.origin, rp_id: this.party.id, must_verify },
    );
    if (!info || !(await this.#challenges.use(tx, challenge, now))) return undefined;
    await tx.query(
      'update passkeys set sign_count = $2, is_backed_up = $3, last_used_at = $4 where id = $1',
      [known.id, info.sign_count, info.is_backed_up, now],
    );
    return known.user_id;
  }

  #required(): RelyingParty {
    if (!this.party) throw new Problem('passkeys_unavailable');
    return this.party;
  }
}

export async function listPasskeys(db: Queryable, userId: number): Promise<Passkey[]> {
  return await db.query<Passkey & Record<string, unknown>>(
    `select ${columns} from passkeys where user_id = $1 order by id limit ${maxPerUser}`,
    [userId],
  );
}

export async function requirePasskey(db: Queryable, userId: number, id: number): Promise<void> {
  const found = await db.query('select from passkeys where user_id = $1 and id = $2', [userId, id]);
  if (found.length === 0) throw new Problem('passkey_not_found');
}

export async function renamePasskey(
  tx: Queryable,
  userId: number,
  { id, name }: { id: number; name: string },
): Promise<Passkey> {
  const [passkey] = await tx.query<Passkey & Record<string, unknown>>(
    `update passkeys set name = $3 where user_id = $1 and id = $2 returning ${columns}`,
    [userId, id, name],
  );
  if (!passkey) throw new Problem('passkey_not_found');
  return passkey;
}

/** With the last second factor go the recovery codes. */
export async function removePasskey(tx: Queryable, userId: number, id: number): Promise<void> {
  const [user] = await tx.query<{ has_app: boolean }>(
    'select two_factor_enabled_at is not null as has_app from users where id = $1 for no key update',
    [userId],
  );
  const removed = await tx.query('delete from passkeys where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ]);
  if (removed.length === 0) throw new Problem('passkey_not_found');
  if (user?.has_app) return;
  await tx.query(
    'delete from recovery_codes where user_id = $1 and not exists (select from passkeys where user_id = $1)',
    [userId],
  );
}

/** In the session that gave the proof. */
function purposeOf(userId: number, sessionId: string): string {
  return `register ${userId} ${sessionId}`;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function notAccepted(): Problem {
  const message = 'This passkey cannot be added: begin again';
  return validationProblem([{ pointer: '/credential', code: 'value_error.passkey', message }]);
}
