import { audited } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { canonicalRanges } from '../instances/index.ts';
import { getApiKey } from './api-keys.ts';
import { updateApiKey, updateSmtpCredential, type CredentialChanges } from './change-credential.ts';
import {
  apiKeyAccess,
  apiKeyParams,
  credentialsTag as tag,
  smtpAccess,
  smtpParams,
} from './credential-access.ts';
import {
  ApiKey,
  ApiKeyChanges,
  apiKeyExample,
  NewApiKey,
  NewSmtpCredential,
  SmtpCredential,
  SmtpCredentialChanges,
  smtpExample,
} from './credential-schemas.ts';
import { readExpiry } from './read-credential.ts';
import { getSmtpCredential } from './smtp-credentials.ts';

interface UpdateContext {
  db: Database;
  clock: Clock;
}

const bounded =
  'What is left out stays. A key that calls leaves the credential no more than it has itself, or is refused; a revoked one is not found.';

/** Two ways of writing one value. */
const canonical = {
  ip_allowlist: (ranges: unknown) => canonicalRanges(ranges as string[]),
  expires_at: (at: unknown) => (at === null ? null : new Date(at as string | Date).getTime()),
};

export function credentialUpdateRoutes(context: UpdateContext): Operation[] {
  return [...apiKeyUpdates(context), ...smtpUpdates(context)];
}

function apiKeyUpdates({ db, clock }: UpdateContext): Operation[] {
  const apply = async (call: ResourceCall<typeof apiKeyParams>, changes: ApiKeyChanges) =>
    await audited(db, updateApiKey)(call, { id: call.params.key_id, changes: readChanges(changes, clock) });
  const patch = operation({
    id: 'update_api_key',
    method: 'PATCH',
    path: '/v1/api-keys/{key_id}',
    tag,
    summary: 'Change an API key',
    description: `Its name and what it may do; the key itself stays the same. ${bounded}`,
    access: apiKeyAccess.write,
    params: apiKeyParams,
    body: ApiKeyChanges,
    body_example: { scopes: ['mail:send', 'mail:read'] },
    success: { status: 200, description: 'The key.', schema: ApiKey, example: apiKeyExample },
    errors: ['api_key_not_found', 'api_key_scope_required', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    ...shared('ApiKeyReplacement', 'Replace an API key'),
    patch,
    params: apiKeyParams,
    creation: NewApiKey,
    changes: ApiKeyChanges,
    read: async ({ caller, params }) => await getApiKey(db, caller.instance.id, params.key_id),
    apply,
  });
  return [patch, put];
}

function smtpUpdates({ db, clock }: UpdateContext): Operation[] {
  const apply = async (call: ResourceCall<typeof smtpParams>, changes: SmtpCredentialChanges) =>
    await audited(db, updateSmtpCredential)(call, {
      id: call.params.username,
      changes: readChanges(changes, clock),
    });
  const patch = operation({
    id: 'update_smtp_credential',
    method: 'PATCH',
    path: '/v1/smtp-credentials/{username}',
    tag,
    summary: 'Change an SMTP credential',
    description: `Its name and where and until when it works; the password stays the same. ${bounded}`,
    access: smtpAccess.write,
    params: smtpParams,
    body: SmtpCredentialChanges,
    body_example: { ip_allowlist: ['203.0.113.0/24'] },
    success: { status: 200, description: 'The credential.', schema: SmtpCredential, example: smtpExample },
    errors: ['smtp_credential_not_found', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    ...shared('SmtpCredentialReplacement', 'Replace an SMTP credential'),
    patch,
    params: smtpParams,
    creation: NewSmtpCredential,
    changes: SmtpCredentialChanges,
    read: async ({ caller, params }) => await getSmtpCredential(db, caller.instance.id, params.username),
    apply,
  });
  return [patch, put];
}

const shared = ($id: string, summary: string) => ({ $id, summary, fixed: [], canonical });

function readChanges(changes: ApiKeyChanges, clock: Clock): CredentialChanges {
  const { expires_at, ...rest } = changes;
  return expires_at === undefined ? rest : { ...rest, expires_at: readExpiry(expires_at, clock.now()) };
}
