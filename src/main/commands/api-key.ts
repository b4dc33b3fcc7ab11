import { scopes } from '../../base/http/access.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../credentials/api-keys.ts';
import { instance, list, optional, required, wordOf, type Command } from '../command.ts';
import { expiryOf } from './expiry-option.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator } from './with-store.ts';

export const apiKeyCreate: Command = {
  name: 'api-key create',
  arguments: '--instance S --name N --scopes a,b|all [--ip CIDR,…] [--expires DATE] [--sandbox-only]',
  summary: 'Makes an API key and prints it, this once.',
  options: {
    instance,
    name: { type: 'string', about: 'What the key is for.' },
    scopes: { type: 'string', about: `"all", or some of ${scopes.join(', ')}.` },
    ip: { type: 'string', about: 'Addresses or ranges it may be used from (default any).' },
    expires: { type: 'string', about: 'Moment it stops working, RFC 3339 (default never).' },
    'sandbox-only': {
      type: 'boolean',
      about: 'It can send only to sandbox recipients: for agents and trials.',
    },
  },
  example: 'chasqui api-key create --instance acme --name website --scopes mail:send,mail:read',
  async run(input) {
    const wanted = optional(input, 'scopes');
    const key = {
      name: required(input, 'name'),
      scopes: wanted === 'all' ? [...scopes] : list(wanted),
      ip_allowlist: list(optional(input, 'ip')),
      expires_at: expiryOf(input),
      sandbox_only: input.options['sandbox-only'] === true,
    };
    const created = await changeInstance(
      input,
      async (tx, { id }) => await createApiKey(tx, id, { key, actor: operator }),
    );
    return { text: created.api_key, json: created };
  },
};

export const apiKeyList = listCommand('api-key', {
  summary: 'Lists the API keys of an instance, without their secrets.',
  what: 'API keys',
  list: listApiKeys,
  columns: {
    id: (key) => key.id,
    name: (key) => key.name,
    state: ({ revoked_at }) => (revoked_at ? 'revoked' : 'active'),
    recipients: ({ sandbox_only }) => (sandbox_only ? 'sandbox only' : 'any'),
    scopes: (key) => key.scopes.join(' '),
  },
});

export const apiKeyRevoke: Command = {
  name: 'api-key revoke',
  arguments: '--instance S KEY_ID',
  summary: 'Ends an API key at once, on every node.',
  options: { instance },
  example: 'chasqui api-key revoke --instance acme 3k9v0c2m5x8q1w7e',
  async run(input) {
    const id = wordOf(input, 'the id of the key: the part between the dots');
    const key = await changeInstance(
      input,
      async (tx, named) => await revokeApiKey(tx, named.id, { id, actor: operator, now: new Date() }),
    );
    return { text: `${key.id} is revoked.`, json: key };
  },
};
