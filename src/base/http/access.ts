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
] as const;
export type Scope = (typeof scopes)[number];

/** What a person may do in an instance, from most to least. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Who may call an operation: an API key with a scope, a user with at least a role, or anyone. */
export type Access = { kind: 'api_key'; scope: Scope } | { kind: 'user'; role: Role } | { kind: 'open' };

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
  actor: ApiKeyActor | { kind: 'user'; id: number };
}

/** What of a request says who is calling. */
export interface Credentials {
  authorization: string | undefined;
  instance_slug: string | undefined;
  address: string;
}

/** Throws `unauthorized`, `forbidden` or `ip_not_allowed`, in that order of precedence. */
export type Authenticate = (
  credentials: Credentials,
  access: Exclude<Access, { kind: 'open' }>,
) => Promise<Caller>;
