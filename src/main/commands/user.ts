import { roles } from '../../base/http/access.ts';
import { getInstance } from '../../instances/instances.ts';
import { createMember, removeSecondFactor, setOperator } from '../../accounts/users.ts';
import { required, type Command } from '../command.ts';
import { inTransaction, operator } from './with-store.ts';

export const userCreate: Command = {
  name: 'user create',
  arguments: '--email E --password P --instance S --role R',
  summary: 'Makes a person a member of an instance. An existing account keeps its password.',
  options: {
    email: { type: 'string', about: 'Address the person signs in with.' },
    password: { type: 'string', about: 'At least 12 characters.' },
    instance: { type: 'string', about: 'Slug of the instance.' },
    role: { type: 'string', about: `One of ${roles.join(', ')}.` },
  },
  example:
    'chasqui user create --email ana@acme.cl --password "a long password" --instance acme --role admin',
  async run(input) {
    const user = {
      email: required(input, 'email'),
      password: required(input, 'password'),
      role: required(input, 'role'),
    };
    const member = await inTransaction(input.env, async (tx) => {
      const instance = await getInstance(tx, required(input, 'instance'));
      return await createMember(tx, instance.id, { user, actor: operator });
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
    return { text: `${email} signs in with the password alone.`, json: { email, two_factor: false } };
  },
};
