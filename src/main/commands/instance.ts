import { everyPage } from '../../base/http/every-page.ts';
import { getInstance, listInstances, setInstance, type Instance } from '../../instances/instances.ts';
import { settingColumns } from '../../instances/instance-settings.ts';
import { optional, required, type Command } from '../command.ts';
import { table } from '../table.ts';
import { provisionInstance } from '../provision.ts';
import { inTransaction, operator, withStore } from './with-store.ts';

const slugOption = {
  type: 'string',
  about: 'Short identifier, sent by callers in X-Instance-Slug.',
} as const;

function describe(instance: Instance): string {
  return Object.entries(instance)
    .map(
      ([key, value]) =>
        `${key.padEnd(28)}${value instanceof Date ? value.toISOString() : String(value ?? 'none')}`,
    )
    .join('\n');
}

export const instanceCreate: Command = {
  name: 'instance create',
  arguments: '--slug S --name N [--timezone Z] [--plan-limit N]',
  summary: 'Makes an instance with its sandbox domain and sender, system fields and purposes.',
  options: {
    slug: slugOption,
    name: { type: 'string', about: 'Name for people.' },
    timezone: { type: 'string', about: 'IANA zone of its dates (default UTC).' },
    'plan-limit': { type: 'string', about: 'Mails per calendar month (default no limit).' },
  },
  example: 'chasqui instance create --slug acme --name "Acme Ltd" --timezone America/Santiago',
  async run(input) {
    const limit = optional(input, 'plan-limit');
    const wanted = {
      slug: required(input, 'slug'),
      name: required(input, 'name'),
      timezone: optional(input, 'timezone'),
      plan_send_limit: limit === undefined ? null : Number(limit),
    };
    const instance = await inTransaction(
      input.env,
      async (tx) => await provisionInstance(tx, wanted, operator),
    );
    return { text: describe(instance), json: instance };
  },
};

export const instanceSet: Command = {
  name: 'instance set',
  arguments: 'SLUG key=value…',
  summary: `Changes settings of an instance: ${settingColumns.join(', ')}.`,
  options: {},
  example: 'chasqui instance set acme is_enabled=false ip_allowlist=203.0.113.0/24,2001:db8::/32',
  async run({ words, env }) {
    const [slug, ...pairs] = words;
    if (!slug || pairs.length === 0 || !pairs.every((pair) => pair.includes('='))) {
      throw new Error('Give the slug and at least one key=value.');
    }
    const settings = Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    const instance = await inTransaction(
      env,
      async (tx) => await setInstance(tx, slug, { settings, actor: operator }),
    );
    return { text: describe(instance), json: instance };
  },
};

export const instanceList: Command = {
  name: 'instance list',
  arguments: '[SLUG]',
  summary: 'Lists the instances, or shows one with all its settings.',
  options: {},
  example: 'chasqui instance list',
  async run({ words, env }) {
    return await withStore(env, async (db) => {
      if (words[0]) {
        const instance = await getInstance(db, words[0]);
        return { text: describe(instance), json: instance };
      }
      const instances = await everyPage(async (page) => await listInstances(db, page));
      const text = table(instances, {
        id: (instance) => instance.id,
        slug: (instance) => instance.slug,
        state: ({ is_enabled }) => (is_enabled ? 'enabled' : 'disabled'),
        name: (instance) => instance.name,
      });
      return { text: instances.length > 0 ? text : 'There are no instances.', json: { data: instances } };
    });
  },
};
