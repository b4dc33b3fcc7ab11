import { validationProblem } from '../../base/errors/problem.ts';
import {
  listLinkTakedowns,
  restoreLinkHost,
  takeDownLinkHost,
  validateLinkHost,
} from '../../domains/link-takedowns.ts';
import { optional, wordOf, type Command, type CommandInput } from '../command.ts';
import { table } from '../table.ts';
import { everyPage } from '../../base/http/every-page.ts';
import { inTransaction, operator, withStore } from './with-store.ts';

function hostOf(input: CommandInput): string {
  const found = validateLinkHost(wordOf(input, 'the host'));
  if ('violation' in found) throw validationProblem([found.violation]);
  return found.host;
}

export const linkHostTakeDown: Command = {
  name: 'link-host take-down',
  arguments: 'HOST [--reason R]',
  summary:
    'Has tracked links to a host, and to hosts below it, show a warning in place of it, in every instance.',
  options: { reason: { type: 'string', about: 'For operators; the page does not show it.' } },
  example: 'chasqui link-host take-down phish.example --reason "Asks for passwords of a bank"',
  async run(input) {
    const given = { host: hostOf(input), reason: optional(input, 'reason') ?? null, actor: operator };
    const taken = await inTransaction(input.env, async (tx) => await takeDownLinkHost(tx, given));
    return { text: `Links to ${taken.host} are taken down.`, json: taken };
  },
};

export const linkHostRestore: Command = {
  name: 'link-host restore',
  arguments: 'HOST',
  summary: 'Has links to a host that was taken down lead there again.',
  options: {},
  example: 'chasqui link-host restore phish.example',
  async run(input) {
    const host = hostOf(input);
    await inTransaction(input.env, async (tx) => await restoreLinkHost(tx, { host, actor: operator }));
    return { text: `Links to ${host} lead there again.`, json: { host } };
  },
};

export const linkHostList: Command = {
  name: 'link-host list',
  arguments: '',
  summary: 'Lists the hosts whose links are taken down.',
  options: {},
  example: 'chasqui link-host list',
  async run({ env }) {
    return await withStore(env, async (db) => {
      const data = await everyPage(async (page) => await listLinkTakedowns(db, page));
      const text = table(data, {
        host: ({ host }) => host,
        'taken down': ({ taken_down_at }) => taken_down_at.toISOString(),
        reason: ({ reason }) => reason ?? '',
      });
      return { text: data.length > 0 ? text : 'No host is taken down.', json: { data } };
    });
  },
};
