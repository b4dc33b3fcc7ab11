import type { ApiKey } from '../../api/operations.ts';

export type Scope = ApiKey['scopes'][number];

/** Which scopes are about the same thing. */
export const scopeGroups = {
  mail: ['mail:send', 'mail:read', 'restrictions:write', 'annotations:write'],
  domains: ['domains:read', 'domains:write', 'senders:read', 'senders:write'],
  templates: ['template:read', 'template:write'],
  consent: ['consent:read', 'consent:write', 'purposes:write', 'terms:write'],
  forms: ['form:read', 'form:write', 'field:read', 'field:write'],
  webhooks: ['webhooks:read', 'webhooks:write'],
  receiving: ['inbound:read', 'inbound:write'],
  rights: ['rights:read', 'rights:write'],
  access: [
    'api-keys:read',
    'api-keys:write',
    'smtp-credentials:read',
    'smtp-credentials:write',
    'settings:read',
    'settings:write',
  ],
} as const satisfies Record<string, readonly Scope[]>;

export type ScopeGroup = keyof typeof scopeGroups;

/** A scope that belongs to no group could not be chosen: this does not compile then. */
export const grouped: [Exclude<Scope, (typeof scopeGroups)[ScopeGroup][number]>] extends [never]
  ? [ScopeGroup, readonly Scope[]][]
  : never = Object.entries(scopeGroups) as [ScopeGroup, readonly Scope[]][];

export type KeyState = 'active' | 'expired' | 'revoked';

export function stateOf({ revoked_at, expires_at }: ApiKey, now = new Date()): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active';
}

export const stateTones = { active: 'good', expired: 'warn', revoked: 'quiet' } as const;
