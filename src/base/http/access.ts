/** What an API key may be allowed to do (contract §5). */
export const scopes = [
  'mail:send',
  'mail:read',
  'consent:read',
  'consent:write',
  'form:read',
  'field:read',
  'field:write',
  'domains:read',
  'domains:write',
  'senders:read',
  'template:read',
  'webhooks:read',
  'webhooks:write',
  'rights:read',
  'rights:write',
] as const;
export type Scope = (typeof scopes)[number];

/** What a person may do in an instance, from most to least. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/**
 * Who may call an operation: an API key with a scope, a user with at least a role, a user about themselves (`account`) or
 * about the installation (`operator`), or anyone.
 */
export type Access =
  | { kind: 'api_key'; scope: Scope }
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
  actor: ApiKeyActor | SignedInUser;
  /** The way it came in, where that is not the HTTP API itself. */
  via?: 'mcp';
}

/** Who is calling, where the call acts on no instance. */
export interface AccountCaller {
  instance?: undefined;
  actor: SignedInUser;
}

/** What of a request says who is calling. */
export interface Credentials {
  authorization: string | undefined;
  instance_slug: string | undefined;
  address: string;
}

/** For what looks at the scopes itself. */
export interface AnyApiKey {
  kind: 'api_key';
  scope?: undefined;
}

/** Throws `unauthorized`, `forbidden` or `ip_not_allowed`, in that order of precedence. */
export type Authenticate = (
  credentials: Credentials,
  access: Exclude<Access, { kind: 'open' }> | AnyApiKey,
) => Promise<Caller | AccountCaller>;
