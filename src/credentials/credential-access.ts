import { Type } from 'typebox';

export const credentialsTag = 'Credentials';

/** A key acts without anybody signed in, so a person needs to be an admin to see or make one. */
export const apiKeyAccess = {
  read: { kind: 'api_key', scope: 'api-keys:read', role: 'admin' },
  write: { kind: 'api_key', scope: 'api-keys:write', role: 'admin' },
} as const;
export const smtpAccess = {
  read: { kind: 'api_key', scope: 'smtp-credentials:read', role: 'developer' },
  write: { kind: 'api_key', scope: 'smtp-credentials:write', role: 'developer' },
} as const;

export const apiKeyParams = Type.Object({
  key_id: Type.String({ maxLength: 64, description: 'The part of the key between the dots.' }),
});
export const smtpParams = Type.Object({
  username: Type.String({ maxLength: 64, description: 'Its user name, or its id.' }),
});
