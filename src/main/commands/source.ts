import {
  addSourceAddress,
  assignPool,
  defaultPool,
  listAssignments,
  listSourceAddresses,
  removeSourceAddress,
} from '../../sources/source-addresses.ts';
import { warmUpCap, warmUpDay } from '../../sources/warm-up.ts';
import { instance, optional, required, type Command } from '../command.ts';
import { table } from '../table.ts';
import { changeInstance, inTransaction, operator, withStore } from './with-store.ts';

export const sourceAdd: Command = {
  name: 'source add',
  arguments: 'ADDRESS --ehlo NAME [--pool P] [--warm]',
  summary:
    'Adds a local address to send from. A new one warms up: little mail at first, twice as much each day.',
  options: {
    ehlo: {
      type: 'string',
      about: 'Name to greet with from there; forward and reverse DNS must say the same.',
    },
    pool: {
      type: 'string',
      about: `Pool it belongs to (default ${defaultPool}, which all instances share).`,
    },
    warm: { type: 'boolean', about: 'The world knows the address already: no caps.' },
  },
  example: 'chasqui source add 203.0.113.5 --ehlo out1.example.com',
  async run(input) {
    const [address = ''] = input.words;
    const given = {
      address,
      ehlo_name: required(input, 'ehlo'),
      pool: optional(input, 'pool') ?? defaultPool,
      warms_up: input.options['warm'] !== true,
    };
    const added = await inTransaction(input.env, async (tx) => await addSourceAddress(tx, given, operator));
    return { text: `${added.address} sends for pool ${added.pool}.`, json: added };
  },
};

export const sourceList: Command = {
  name: 'source list',
  arguments: '',
  summary:
    'Lists the addresses to send from, what they may send today, and the instances with a pool of their own.',
  options: {},
  example: 'chasqui source list',
  async run(input) {
    return await withStore(input.env, async (db) => {
      const now = new Date();
      const data = (await listSourceAddresses(db)).map((source) => {
        const cap = warmUpCap(source, now);
        return { ...source, daily_cap: cap === Infinity ? null : cap };
      });
      const assignments = (await listAssignments(db)).map(({ slug, pool }) => ({ instance: slug, pool }));
      const sources = table(data, {
        pool: (source) => source.pool,
        address: (source) => source.address,
        ehlo_name: (source) => source.ehlo_name,
        state: (source) =>
          source.daily_cap === null
            ? 'warm'
            : `day ${warmUpDay(source, now) + 1}: ${source.daily_cap} mails to each provider`,
      });
      const lines = [
        data.length > 0 ? sources : 'There are no source addresses: the system chooses.',
        ...assignments.map(({ instance: slug, pool }) => `${slug} sends from ${pool}`),
      ];
      return { text: lines.join('\n'), json: { data, assignments } };
    });
  },
};

export const sourceRemove: Command = {
  name: 'source remove',
  arguments: 'ADDRESS',
  summary: 'Removes an address to send from; attempts under way are finished.',
  options: {},
  example: 'chasqui source remove 203.0.113.5',
  async run(input) {
    const [address = ''] = input.words;
    const removed = await inTransaction(
      input.env,
      async (tx) => await removeSourceAddress(tx, address, operator),
    );
    return { text: `${removed.address} is removed from pool ${removed.pool}.`, json: removed };
  },
};

export const sourceAssign: Command = {
  name: 'source assign',
  arguments: '--instance S --pool P',
  summary: `Has an instance send from a pool of its own; ${defaultPool} takes that back.`,
  options: {
    instance,
    pool: { type: 'string', about: 'Pool with at least one address.' },
  },
  example: 'chasqui source assign --instance acme --pool bulk',
  async run(input) {
    const pool = required(input, 'pool');
    const { slug } = await changeInstance(input, async (tx, named) => {
      await assignPool(tx, named.id, { pool, actor: operator });
      return named;
    });
    return { text: `${slug} sends from ${pool}.`, json: { instance: slug, pool } };
  },
};
