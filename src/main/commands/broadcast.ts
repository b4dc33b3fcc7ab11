import { systemClock } from '../../base/clock.ts';
import type { Broadcast } from '../../broadcasts/broadcast-schemas.ts';
import { getBroadcast, listBroadcasts } from '../../broadcasts/broadcasts.ts';
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  sendBroadcast,
} from '../../broadcasts/run-state.ts';
import { instance, required, type Command, type CommandInput } from '../command.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator, withInstance } from './with-store.ts';

function describe({ id, name, state, paused_by, progress }: Broadcast): string {
  const { recipients, accepted, left_out } = progress;
  const out = left_out.map(({ reason, count }) => `, ${count} ${reason}`).join('');
  const why = paused_by === null ? '' : ` (${paused_by})`;
  const counts = recipients === null ? '' : `\n${recipients} recipients: ${accepted} accepted${out}`;
  return `Broadcast ${id} '${name}' is ${state}${why}.${counts}`;
}

function idOf(input: CommandInput): number {
  const given = required(input, 'broadcast');
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new Error('--broadcast takes an id, from `broadcast list`.');
  return Number(given);
}

const options = {
  instance,
  broadcast: { type: 'string', about: 'Id of the broadcast, from `broadcast list`.' },
} as const;

export const broadcastList = listCommand('broadcast', {
  summary: 'Lists the broadcasts of an instance, newest first.',
  what: 'broadcasts',
  list: listBroadcasts,
  columns: {
    id: ({ id }) => id,
    state: ({ state }) => state,
    recipients: ({ progress }) => progress.recipients ?? '',
    accepted: ({ progress }) => progress.accepted,
    name: ({ name }) => name,
  },
});

export const broadcastShow: Command = {
  name: 'broadcast show',
  arguments: '--instance S --broadcast ID',
  summary: 'Shows the state of a broadcast and how far the sending is.',
  options,
  example: 'chasqui broadcast show --instance acme --broadcast 5',
  async run(input) {
    const shown = await withInstance(input, async (db, { id }) => await getBroadcast(db, id, idOf(input)));
    return { text: describe(shown), json: shown };
  },
};

function changing(verb: string, summary: string, change: typeof sendBroadcast): Command {
  return {
    name: `broadcast ${verb}`,
    arguments: '--instance S --broadcast ID',
    summary,
    options,
    example: `chasqui broadcast ${verb} --instance acme --broadcast 5`,
    async run(input) {
      const changed = await changeInstance(
        input,
        async (tx, { id }) =>
          await change(tx, id, { id: idOf(input), now: systemClock.now(), actor: operator }),
      );
      return { text: describe(changed), json: changed };
    },
  };
}

export const broadcastSend = changing(
  'send',
  'Sends a draft to its audience, at its time or at once.',
  sendBroadcast,
);
export const broadcastPause = changing('pause', 'Stops handing mails of a broadcast over.', pauseBroadcast);
export const broadcastResume = changing('resume', 'Goes on with a paused broadcast.', resumeBroadcast);
export const broadcastCancel = changing(
  'cancel',
  'Ends a broadcast, and drops its mails that were never attempted.',
  cancelBroadcast,
);
