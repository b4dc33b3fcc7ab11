import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../credentials/operator-keys.ts';
import { list, optional, required, wordOf, type Command } from '../command.ts';
import { table } from '../table.ts';
import { expiryOf } from './expiry-option.ts';
import { inTransaction, operator, withStore } from './with-store.ts';

export const operatorKeyCreate: Command = {
  name: 'operator-key create',
  arguments: '--name N [--ip CIDR,…] [--expires DATE]',
  summary: 'Makes a key that manages the installation below /v1/operator and prints it, this once.',
  options: {
    name: { type: 'string', about: 'What the key is for.' },
    ip: { type: 'string', about: 'Addresses or ranges it may be used from (default any).' },
    expires: { type: 'string', about: 'Moment it stops working, RFC 3339 (default never).' },
  },
  example: 'chasqui operator-key create --name terraform --expires 2027-06-30T00:00:00Z',
  async run(input) {
    const wanted = {
      name: required(input, 'name'),
      ip_allowlist: list(optional(input, 'ip')),
      expires_at: expiryOf(input),
      actor: operator,
    };
    const created = await inTransaction(input.env, async (tx) => await createOperatorKey(tx, wanted));
    return { text: created.operator_key, json: created };
  },
};

export const operatorKeyList: Command = {
  name: 'operator-key list',
  arguments: '',
  summary: 'Lists the operator keys, without their secrets.',
  options: {},
  example: 'chasqui operator-key list',
  async run(input) {
    const data = await withStore(input.env, async (db) => await listOperatorKeys(db));
    const now = new Date();
    const text = table(data, {
      id: (key) => key.id,
      name: (key) => key.name,
      state: ({ revoked_at, expires_at }) => {
        if (revoked_at) return 'revoked';
        return expires_at && expires_at <= now ? 'expired' : 'active';
      },
      expires: ({ expires_at }) => expires_at?.toISOString() ?? 'never',
      from: ({ ip_allowlist }) => ip_allowlist.join(' ') || 'anywhere',
    });
    return { text: data.length > 0 ? text : 'There are no operator keys.', json: { data } };
  },
};

export const operatorKeyRevoke: Command = {
  name: 'operator-key revoke',
  arguments: 'KEY_ID',
  summary: 'Ends an operator key at once, on every node.',
  options: {},
  example: 'chasqui operator-key revoke 3k9v0c2m5x8q1w7e',
  async run(input) {
    const id = wordOf(input, 'the id of the key: the part between the dots');
    const key = await inTransaction(
      input.env,
      async (tx) => await revokeOperatorKey(tx, { id, actor: operator, now: new Date() }),
    );
    return { text: `${key.id} is revoked.`, json: key };
  },
};
