import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { audited } from '../audit/index.ts';
import {
  ApiKey,
  apiKeyExample,
  CreatedApiKey,
  CreatedSmtpCredential,
  NewApiKey,
  NewSmtpCredential,
  smtpExample,
  SmtpCredential,
} from './credential-schemas.ts';
import { createSmtpCredential, listSmtpCredentials, revokeSmtpCredential } from './smtp-credentials.ts';

interface CredentialContext {
  db: Database;
  clock: Clock;
}

const tag = 'Credentials';
/** A key acts without anybody signed in, so creating one needs an admin. */
const admin = { kind: 'user', role: 'admin' } as const;
const developer = { kind: 'user', role: 'developer' } as const;

export function credentialPanelRoutes(context: CredentialContext): Operation[] {
  return [...apiKeyRoutes(context), ...smtpRoutes(context)];
}

function apiKeyRoutes({ db, clock }: CredentialContext): Operation[] {
  return [
    operation({
      id: 'panel_list_api_keys',
      method: 'GET',
      path: '/v1/private/api-keys',
      tag,
      summary: 'List API keys',
      description: 'Revoked ones too, in the order of their creation. The keys themselves are not shown.',
      access: admin,
      query: PageQuery({}),
      success: onePage('keys', ApiKey, apiKeyExample),
      errors: [],
      handle: async ({ caller, query }) => await listApiKeys(db, caller.instance.id, query),
    }),
    operation({
      id: 'panel_create_api_key',
      method: 'POST',
      path: '/v1/private/api-keys',
      tag,
      summary: 'Create an API key',
      description: 'The key is in this answer and nowhere else.',
      access: admin,
      body: NewApiKey,
      body_example: { name: 'website', scopes: ['mail:send'], ip_allowlist: ['203.0.113.0/24'] },
      success: {
        status: 201,
        description: 'The key.',
        schema: CreatedApiKey,
        example: { ...apiKeyExample, api_key: 'chq.3k9v0c2m5x8q1w7e.…' },
      },
      errors: ['api_key_scope_required'],
      handle: async (call) => {
        const { name, scopes = [], ip_allowlist = [], sandbox_only = false } = call.body;
        const expires_at = readExpiry(call.body.expires_at, clock.now());
        const key = { name, scopes, ip_allowlist, sandbox_only, expires_at };
        return await audited(db, createApiKey)(call, { key });
      },
    }),
    operation({
      id: 'panel_revoke_api_key',
      method: 'POST',
      path: '/v1/private/api-keys/{key_id}/revoke',
      tag,
      summary: 'Revoke an API key',
      description: 'It is refused from then on, by every node. Revoking it again changes nothing.',
      access: admin,
      params: Type.Object({ key_id: Type.String({ description: 'The part of the key between the dots.' }) }),
      success: { status: 200, description: 'The key.', schema: ApiKey, example: apiKeyExample },
      errors: ['api_key_not_found'],
      handle: async (call) =>
        await audited(db, revokeApiKey)(call, { id: call.params.key_id, now: clock.now() }),
    }),
  ];
}

function smtpRoutes({ db, clock }: CredentialContext): Operation[] {
  return [
    operation({
      id: 'panel_list_smtp_credentials',
      method: 'GET',
      path: '/v1/private/smtp-credentials',
      tag,
      summary: 'List SMTP credentials',
      description: 'Revoked ones too, in the order of their creation. Passwords are not shown.',
      access: developer,
      query: PageQuery({}),
      success: onePage('credentials', SmtpCredential, smtpExample),
      errors: [],
      handle: async ({ caller, query }) => await listSmtpCredentials(db, caller.instance.id, query),
    }),
    operation({
      id: 'panel_create_smtp_credential',
      method: 'POST',
      path: '/v1/private/smtp-credentials',
      tag,
      summary: 'Create an SMTP credential',
      description: 'The password is in this answer and nowhere else.',
      access: developer,
      body: NewSmtpCredential,
      body_example: { name: 'website' },
      success: {
        status: 201,
        description: 'The credential.',
        schema: CreatedSmtpCredential,
        example: { ...smtpExample, password: 'b64url…' },
      },
      errors: [],
      handle: async (call) => await audited(db, createSmtpCredential)(call, { name: call.body.name }),
    }),
    operation({
      id: 'panel_revoke_smtp_credential',
      method: 'POST',
      path: '/v1/private/smtp-credentials/{username}/revoke',
      tag,
      summary: 'Revoke an SMTP credential',
      description: 'It is refused from then on, by every node. Revoking it again changes nothing.',
      access: developer,
      params: Type.Object({ username: Type.String({ description: 'Its user name, or its id.' }) }),
      success: { status: 200, description: 'The credential.', schema: SmtpCredential, example: smtpExample },
      errors: ['smtp_credential_not_found'],
      handle: async (call) =>
        await audited(db, revokeSmtpCredential)(call, { username: call.params.username, now: clock.now() }),
    }),
  ];
}

/** The schema checks the format; the expiry must also be in the future. */
function readExpiry(text: string | null | undefined, now: Date): Date | null {
  if (text === undefined || text === null) return null;
  const expires_at = new Date(text);
  if (expires_at > now) return expires_at;
  const message = 'This should be in the future';
  throw validationProblem([{ pointer: '/expires_at', code: 'value_error.date_time', message }]);
}
