import { audited } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import {
  apiKeyAccess,
  apiKeyParams,
  credentialsTag as tag,
  smtpAccess,
  smtpParams,
} from './credential-access.ts';
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import {
  ApiKey,
  apiKeyExample,
  CreatedApiKey,
  createdApiKeyExample,
  CreatedSmtpCredential,
  NewApiKey,
  NewSmtpCredential,
  smtpExample,
  SmtpCredential,
} from './credential-schemas.ts';
import { credentialUpdateRoutes } from './credential-update-routes.ts';
import { readApiKey, readExpiry } from './read-credential.ts';
import {
  createSmtpCredential,
  getSmtpCredential,
  listSmtpCredentials,
  revokeSmtpCredential,
} from './smtp-credentials.ts';

interface CredentialContext {
  db: Database;
  clock: Clock;
}

const bounded =
  'A key that makes one gives it no more than it has: its own scopes, addresses, time and sandbox hold for what it makes.';

export function credentialRoutes(context: CredentialContext): Operation[] {
  return [...apiKeyRoutes(context), ...smtpRoutes(context), ...credentialUpdateRoutes(context)];
}

function apiKeyRoutes({ db, clock }: CredentialContext): Operation[] {
  return [
    operation({
      id: 'list_api_keys',
      method: 'GET',
      path: '/v1/api-keys',
      tag,
      summary: 'List API keys',
      description: 'Revoked ones too, in the order of their creation. The keys themselves are not shown.',
      access: apiKeyAccess.read,
      query: PageQuery(externalIdFilter),
      success: onePage('keys', ApiKey, apiKeyExample),
      errors: [],
      handle: async ({ caller, query }) => await listApiKeys(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_api_key',
      method: 'GET',
      path: '/v1/api-keys/{key_id}',
      tag,
      summary: 'Read an API key',
      description: 'What it may do. The key itself is not shown.',
      access: apiKeyAccess.read,
      params: apiKeyParams,
      success: { status: 200, description: 'The key.', schema: ApiKey, example: apiKeyExample },
      errors: ['api_key_not_found'],
      handle: async ({ caller, params }) => await getApiKey(db, caller.instance.id, params.key_id),
    }),
    operation({
      id: 'create_api_key',
      method: 'POST',
      path: '/v1/api-keys',
      tag,
      summary: 'Create an API key',
      description: `The key is in this answer and nowhere else. ${bounded}`,
      access: apiKeyAccess.write,
      body: NewApiKey,
      body_example: { name: 'website', scopes: ['mail:send'], ip_allowlist: ['203.0.113.0/24'] },
      success: { status: 201, description: 'The key.', schema: CreatedApiKey, example: createdApiKeyExample },
      location: '/v1/api-keys/{id}',
      errors: ['api_key_scope_required', 'external_id_already_exists'],
      handle: async (call) =>
        await audited(db, createApiKey)(call, { key: readApiKey(call.body, clock.now()) }),
    }),
    operation({
      id: 'revoke_api_key',
      method: 'POST',
      path: '/v1/api-keys/{key_id}/revoke',
      tag,
      summary: 'Revoke an API key',
      description:
        'It is refused from then on, by every node. Keys that it made stay. Revoking it again changes nothing.',
      access: apiKeyAccess.write,
      params: apiKeyParams,
      success: { status: 200, description: 'The key.', schema: ApiKey, example: apiKeyExample },
      errors: ['api_key_not_found'],
      handle: async (call) =>
        await audited(db, revokeApiKey)(call, { id: call.params.key_id, now: clock.now() }),
    }),
  ];
}

function smtpRoutes({ db, clock }: CredentialContext): Operation[] {
  const success = {
    status: 200,
    description: 'The credential.',
    schema: SmtpCredential,
    example: smtpExample,
  } as const;
  return [
    operation({
      id: 'list_smtp_credentials',
      method: 'GET',
      path: '/v1/smtp-credentials',
      tag,
      summary: 'List SMTP credentials',
      description: 'Revoked ones too, in the order of their creation. Passwords are not shown.',
      access: smtpAccess.read,
      query: PageQuery(externalIdFilter),
      success: onePage('credentials', SmtpCredential, smtpExample),
      errors: [],
      handle: async ({ caller, query }) => await listSmtpCredentials(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_smtp_credential',
      method: 'GET',
      path: '/v1/smtp-credentials/{username}',
      tag,
      summary: 'Read an SMTP credential',
      description: 'Without its password.',
      access: smtpAccess.read,
      params: smtpParams,
      success,
      errors: ['smtp_credential_not_found'],
      handle: async ({ caller, params }) => await getSmtpCredential(db, caller.instance.id, params.username),
    }),
    operation({
      id: 'create_smtp_credential',
      method: 'POST',
      path: '/v1/smtp-credentials',
      tag,
      summary: 'Create an SMTP credential',
      description: `The password is in this answer and nowhere else. ${bounded} It needs \`mail:send\` itself.`,
      access: smtpAccess.write,
      body: NewSmtpCredential,
      body_example: { name: 'website' },
      success: {
        status: 201,
        description: 'The credential.',
        schema: CreatedSmtpCredential,
        example: { ...smtpExample, password: 'b64url…' },
      },
      location: '/v1/smtp-credentials/{username}',
      errors: ['external_id_already_exists'],
      handle: async (call) => {
        const expires_at = readExpiry(call.body.expires_at, clock.now());
        return await audited(db, createSmtpCredential)(call, { ...call.body, expires_at });
      },
    }),
    operation({
      id: 'revoke_smtp_credential',
      method: 'POST',
      path: '/v1/smtp-credentials/{username}/revoke',
      tag,
      summary: 'Revoke an SMTP credential',
      description: 'It is refused from then on, by every node. Revoking it again changes nothing.',
      access: smtpAccess.write,
      params: smtpParams,
      success,
      errors: ['smtp_credential_not_found'],
      handle: async (call) =>
        await audited(db, revokeSmtpCredential)(call, { username: call.params.username, now: clock.now() }),
    }),
  ];
}
