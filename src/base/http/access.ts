/** What an API key may be allowed to do (contract §5). */
export const scopes = [
  'mail:send',
  'mail:read',
  'consent:read',
  'consent:write',
  'purposes:write',
  'terms:write',
  'form:read',
  'form:write',
  'field:read',
  'field:write',
  'domains:read',
  'domains:write',
  'senders:read',
  'senders:write',
  'template:read',
  'template:write',
  'webhooks:read',
  'webhooks:write',
  'rights:read',
  'rights:write',
  'restrictions:write',
  'inbound:read',
  'inbound:write',
  'smtp-credentials:read',
  'smtp-credentials:write',
  'api-keys:read',
  'api-keys:write',
  'annotations:write',
  'settings:read',
  'settings:write',
] as const;
export type Scope = (typeof scopes)[number];

/** What a person may do in an instance, from most to least. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

export function isAtLeast(held: Role, needed: Role): boolean {
  return roles.indexOf(held) <= roles.indexOf(needed);
}

/**
 * Who may call an operation: an API key with a scope, a user with at least a role, a user about themselves (`account`) or
 * about the installation (`operator`), or anyone. `role` beside a scope is what a person needs to do the same in the panel.
 */
export type Access =
  | { kind: 'api_key'; scope: Scope; role?: Role }
  | { kind: 'user'; role: Role }
  | { kind: 'account' }
  | { kind: 'operator' }
  | { kind: 'open' };

/** A person who is signed in. */
export interface SignedInUser {
  kind: 'user';
  id: number;
  session_id: string;
}

/** A person in the instance that their call acts on. */
export interface Member extends SignedInUser {
  role: Role;
}

export interface ApiKeyActor {
  kind: 'api_key';
  id: string;
  scopes: ReadonlySet<string>;
  /** What it sends stays inside the sandbox. */
  sandbox_only: boolean;
}

/** Who is calling, and the one instance the call acts on. */
export interface Caller {
  instance: { id: number; slug: string; timezone: string; retention_months: number };
  actor: ApiKeyActor | Member;
  /** The way it came in, where that is not the HTTP API itself. */
  via?: 'mcp' | 'resend' | 'postmark' | 'sendgrid';
}

/** Who is calling, where the call acts on no instance. */
export interface AccountCaller {
  instance?: undefined;
  actor: SignedInUser;
}

/** A program with an operator key, which acts for the operator. */
interface OperatorKeyActor {
  kind: 'operator';
  id: string;
}

/** Who is calling where the call is about the installation. */
export interface OperatorCaller {
  instance?: undefined;
  actor: SignedInUser | OperatorKeyActor;
}

/** What of a request says who is calling. */
export interface Credentials {
  authorization: string | undefined;
  instance_slug: string | undefined;
  /** The instance is the one of the key: clients of other services cannot name it. */
  instance_of_key?: true;
  address: string;
}

/** For what looks at the scopes itself. */
export interface AnyApiKey {
  kind: 'api_key';
  scope?: undefined;
}

/** What an operation demands of its caller. A member's call `changes` the instance unless it only reads. */
export type Demand =
  | Exclude<Access, { kind: 'open' } | { kind: 'user' }>
  | AnyApiKey
  | { kind: 'user'; role: Role; changes: boolean };

/** Throws `unauthorized`, `forbidden`, `ip_not_allowed` or `instance_disabled`, in that order of precedence. */
export type Authenticate = (credentials: Credentials, demand: Demand) => Promise<Caller | OperatorCaller>;
