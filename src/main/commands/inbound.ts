import { getInboundMessage, listInboundMessages, type MailboxOwner } from '../../inbound/inbound-messages.ts';
import type { Queryable } from '../../base/db/database.ts';
import { getInstance } from '../../instances/instances.ts';
import { idOf, optional, type Command, type CommandInput } from '../command.ts';
import { withStore } from './with-store.ts';

const max_listed = 100;
const instance = { type: 'string', about: 'Slug of the instance (default the platform itself).' } as const;

async function ownerOf(db: Queryable, input: CommandInput): Promise<MailboxOwner> {
  const slug = optional(input, 'instance');
  return slug === undefined ? null : (await getInstance(db, slug)).id;
}

export const inboundList: Command = {
  name: 'inbound list',
  arguments: '[--instance S]',
  summary: `Lists the last ${max_listed} messages to postmaster@, abuse@ and the like that are for people.`,
  options: { instance },
  example: 'chasqui inbound list',
  async run(input) {
    return await withStore(input.env, async (db) => {
      const { data } = await listInboundMessages(db, await ownerOf(db, input), { page_size: max_listed });
      const lines = data.map(
        ({ id, received_at, recipient, header_from, subject }) =>
          `${String(id).padStart(6)}  ${received_at.toISOString()}  ${recipient}  ${header_from}  ${subject}`,
      );
      return { text: printable(lines.join('\n')) || 'No mail came in for people.', json: { data } };
    });
  },
};

export const inboundShow: Command = {
  name: 'inbound show',
  arguments: '[--instance S] ID',
  summary: 'Prints a message as it came in.',
  options: { instance },
  example: 'chasqui inbound show 7',
  async run(input) {
    const id = idOf(input);
    const message = await withStore(
      input.env,
      async (db) => await getInboundMessage(db, await ownerOf(db, input), id),
    );
    return { text: printable(message.raw), json: message };
  },
};

/** Strangers wrote it: what a terminal would take for an order becomes visible instead. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\r\t]]/gv, '\u{fffd}');
}
