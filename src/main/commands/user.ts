import { roles } from '../../base/http/access.ts';
import { getInstance } from '../../instances/instances.ts';
import {
  createMember,
  listUsers,
  removeSecondFactor,
  setOperator,
  setPassword,
} from '../../accounts/users.ts';
import { instance, optional, required, secretOf, type Command } from '../command.ts';
import { table } from '../table.ts';
import { everyPage } from '../../base/http/every-page.ts';
import { changeInstance, inTransaction, operator, withStore } from './with-store.ts';

const password = {
  type: 'string',
  about: 'At least 12 characters; @path reads it from a file, @/dev/stdin from the input.',
} as const;

export const userCreate: Command = {
  name: 'user create',
  arguments: '--email E --password P --instance S --role R [--operator]',
  summary: 'Makes a person a member of an instance. An existing account keeps its password.',
  options: {
    email: { type: 'string', about: 'Address the person signs in with.' },
    password,
    instance,
    role: { type: 'string', about: `One of ${roles.join(', ')}.` },
    operator: { type: 'boolean', about: 'Lets the person run the installation too.' },
  },
  example:
    'chasqui user create --email ana@acme.cl --password @/dev/stdin --instance acme --role admin < password.txt',
  async run(input) {
    const user = {
      email: required(input, 'email'),
      password: await secretOf(input, 'password'),
      role: required(input, 'role'),
    };
    const member = await changeInstance(input, async (tx, { id }) => {
      const created = await createMember(tx, id, { user, actor: operator });
      if (input.options['operator'] === true)
        await setOperator(tx, user.email, { is_operator: true, actor: operator });
      return created;
    });
    return { text: `${member.email} is ${member.role}.`, json: member };
  },
};

export const userOperator: Command = {
  name: 'user operator',
  arguments: '--email E [--revoke]',
  summary: 'Lets a person run the installation from the panel, or no longer.',
  options: {
    email: { type: 'string', about: 'Address the person signs in with.' },
    revoke: { type: 'boolean', about: 'Takes it back.' },
  },
  example: 'chasqui user operator --email ana@acme.cl',
  async run(input) {
    const email = required(input, 'email');
    const is_operator = input.options['revoke'] !== true;
    await inTransaction(input.env, async (tx) => {
      await setOperator(tx, email, { is_operator, actor: operator });
    });
    const text = `${email} is ${is_operator ? 'an operator' : 'no longer an operator'}.`;
    return { text, json: { email, is_operator } };
  },
};

export const userResetTwoFactor: Command = {
  name: 'user reset-two-factor',
  arguments: '--email E',
  summary: 'Removes the second factor of a person who lost it, and ends their sessions.',
  options: { email: { type: 'string', about: 'Address the person signs in with.' } },
  example: 'chasqui user reset-two-factor --email ana@acme.cl',
  async run(input) {
    const email = required(input, 'email');
    await inTransaction(input.env, async (tx) => {
      await removeSecondFactor(tx, email, { now: new Date(), actor: operator });
    });
    return { text: `${email} signs in with the password only.`, json: { email, two_factor: false } };
  },
};

export const userList: Command = {
  name: 'user list',
  arguments: '[--instance S]',
  summary: 'Lists everybody who can sign in, or the members of an instance.',
  options: { instance: { type: 'string', about: 'Slug of the instance (default all).' } },
  example: 'chasqui user list --instance acme',
  async run(input) {
    const slug = optional(input, 'instance');
    return await withStore(input.env, async (db) => {
      const instanceId = slug === undefined ? null : (await getInstance(db, slug)).id;
      const data = await everyPage(async (request) => await listUsers(db, instanceId, request));
      const text = table(data, {
        id: ({ id }) => id,
        email: ({ email }) => email,
        operator: ({ is_operator }) => (is_operator ? 'yes' : ''),
        two_factor: ({ has_second_factor }) => (has_second_factor ? 'yes' : ''),
        roles: ({ memberships }) => memberships.map(({ instance: of, role }) => `${of}: ${role}`).join(', '),
        name: ({ name }) => name,
      });
      return { text: data.length > 0 ? text : 'There are no users.', json: { data } };
    });
  },
};

export const userSetPassword: Command = {
  name: 'user set-password',
  arguments: '--email E --password P',
  summary: 'Gives a person a new password and ends their sessions.',
  options: {
    email: { type: 'string', about: 'Address the person signs in with.' },
    password,
  },
  example: 'chasqui user set-password --email ana@acme.cl --password @/dev/stdin < password.txt',
  async run(input) {
    const email = required(input, 'email');
    const wanted = await secretOf(input, 'password');
    await inTransaction(input.env, async (tx) => {
      await setPassword(tx, email, { password: wanted, now: new Date(), actor: operator });
    });
    return { text: `${email} signs in with the new password.`, json: { email } };
  },
};
