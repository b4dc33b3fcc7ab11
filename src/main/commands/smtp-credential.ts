import {
  createSmtpCredential,
  listSmtpCredentials,
  revokeSmtpCredential,
} from '../../credentials/smtp-credentials.ts';
import { instance, required, wordOf, type Command } from '../command.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator } from './with-store.ts';

export const smtpCredentialCreate: Command = {
  name: 'smtp-credential create',
  arguments: '--instance S --name N',
  summary: 'Makes a user name and password for SMTP submission and prints them, this once.',
  options: { instance, name: { type: 'string', about: 'What the credential is for.' } },
  example: 'chasqui smtp-credential create --instance acme --name printer',
  async run(input) {
    const created = await changeInstance(
      input,
      async (tx, { id }) =>
        await createSmtpCredential(tx, id, { name: required(input, 'name'), actor: operator }),
    );
    return { text: `username  ${created.username}\npassword  ${created.password}`, json: created };
  },
};

export const smtpCredentialList = listCommand('smtp-credential', {
  summary: 'Lists the SMTP credentials of an instance, without their passwords.',
  what: 'SMTP credentials',
  list: listSmtpCredentials,
  columns: {
    username: ({ username }) => username,
    state: ({ revoked_at }) => (revoked_at ? 'revoked' : 'active'),
    name: ({ name }) => name,
  },
});

export const smtpCredentialRevoke: Command = {
  name: 'smtp-credential revoke',
  arguments: '--instance S USERNAME',
  summary: 'Ends an SMTP credential at once, on every node.',
  options: { instance },
  example: 'chasqui smtp-credential revoke --instance acme chq-3k9v0c2m5x8q1w7e',
  async run(input) {
    const username = wordOf(input, 'the user name');
    const credential = await changeInstance(
      input,
      async (tx, { id }) =>
        await revokeSmtpCredential(tx, id, { username, actor: operator, now: new Date() }),
    );
    return { text: `${credential.username} is revoked.`, json: credential };
  },
};
