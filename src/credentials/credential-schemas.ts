import { Type, type Static } from 'typebox';
import { scopes } from '../base/http/access.ts';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';

const name = { description: 'What it is for.', examples: ['website'] };
const newName = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name });
const ranges = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 200,
  description: 'Addresses or ranges it may be used from; empty: any.',
  examples: [['203.0.113.0/24']],
});
const sandboxOnly = {
  description:
    'Sends to any recipient outside the sandbox are refused with `sandbox_relay_restricted`, from every sender. Right for agents and for trials.',
};
const created_at = DateTime('When it was created.');
const revoked_at = Nullable(DateTime('When it was revoked; null while it can be used.'));

const bounds = {
  ip_allowlist: ranges,
  sandbox_only: Type.Boolean(sandboxOnly),
  expires_at: Nullable(DateTime('When it stops working; null: never.')),
};
const changeableBounds = {
  ip_allowlist: ranges,
  sandbox_only: Type.Boolean(sandboxOnly),
  expires_at: Nullable(
    Type.String({
      maxLength: 40,
      pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
      description: 'When it stops working, RFC 3339; null: never.',
    }),
  ),
};
const wantedBounds = {
  ip_allowlist: Type.Optional({ ...ranges, default: [] }),
  sandbox_only: Type.Optional(Type.Boolean({ ...sandboxOnly, default: false })),
  expires_at: Type.Optional(changeableBounds.expires_at),
};
const wantedScopes = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 });

const apiKeyParts = {
  id: Type.String({ description: 'The part of the key between the dots.', examples: ['3k9v0c2m5x8q1w7e'] }),
  external_id: ExternalId,
  name: Type.String(name),
  scopes: Type.Array(Enum(scopes), { description: 'What it may do.' }),
  ...bounds,
  created_at,
  revoked_at,
  last_used_at: Nullable(DateTime('When it was last used.')),
};
export const ApiKey = Type.Object(apiKeyParts, { $id: 'ApiKey' });
export const CreatedApiKey = Type.Object(
  { ...apiKeyParts, api_key: Type.String({ description: 'The key itself, shown once.' }) },
  { $id: 'CreatedApiKey' },
);

/** `scopes` is optional: an empty list has its own error code. */
export const NewApiKey = Type.Object(
  {
    name: newName,
    scopes: Type.Optional(wantedScopes),
    ...wantedBounds,
    external_id: Type.Optional(ExternalId),
  },
  { $id: 'NewApiKey' },
);
export type NewApiKey = Static<typeof NewApiKey>;
export const ApiKeyChanges = Type.Partial(
  Type.Object({ name: newName, scopes: wantedScopes, ...changeableBounds, external_id: ExternalId }),
  { $id: 'ApiKeyChanges' },
);
export type ApiKeyChanges = Static<typeof ApiKeyChanges>;

const smtpParts = {
  id: Type.String({ examples: ['3k9v0c2m5x8q1w7e'] }),
  external_id: ExternalId,
  username: Type.String({ examples: ['chq-3k9v0c2m5x8q1w7e'] }),
  name: Type.String(name),
  ...bounds,
  created_at,
  revoked_at,
};
export const SmtpCredential = Type.Object(smtpParts, { $id: 'SmtpCredential' });
export const CreatedSmtpCredential = Type.Object(
  { ...smtpParts, password: Type.String({ description: 'Told this once.' }) },
  { $id: 'CreatedSmtpCredential' },
);
export const NewSmtpCredential = Type.Object(
  { name: newName, ...wantedBounds, external_id: Type.Optional(ExternalId) },
  { $id: 'NewSmtpCredential' },
);
export const SmtpCredentialChanges = Type.Partial(
  Type.Object({ name: newName, ...changeableBounds, external_id: ExternalId }),
  { $id: 'SmtpCredentialChanges' },
);
export type SmtpCredentialChanges = Static<typeof SmtpCredentialChanges>;

const at = '2026-12-01T12:00:00.000Z';
export const apiKeyExample = {
  id: '3k9v0c2m5x8q1w7e',
  external_id: 'shop/website',
  name: 'website',
  scopes: ['mail:send'],
  ip_allowlist: ['203.0.113.0/24'],
  sandbox_only: false,
  created_at: at,
  expires_at: null,
  revoked_at: null,
  last_used_at: at,
};
export const createdApiKeyExample = {
  ...apiKeyExample,
  last_used_at: null,
  api_key: 'chq.3k9v0c2m5x8q1w7e.…',
};
export const smtpExample = {
  id: '3k9v0c2m5x8q1w7e',
  external_id: 'shop/printer',
  username: 'chq-3k9v0c2m5x8q1w7e',
  name: 'website',
  ip_allowlist: [],
  sandbox_only: false,
  created_at: at,
  expires_at: null,
  revoked_at: null,
};
