import { getInboundMessage, listInboundMessages, type MailboxOwner } from '../../inbound/inbound-messages.ts';
import type { Config } from '../../base/config.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { BlockedPersons } from '../../base/db/blocked-contacts.ts';
import type { Queryable } from '../../base/db/database.ts';
import { getInstance } from '../../instances/instances.ts';
import { readRootSecret } from '../root-secret.ts';
import { idOf, optional, type Command, type CommandInput } from '../command.ts';
import { printable, table } from '../table.ts';
import { withStore } from './with-store.ts';

const maxListed = 100;
const instance = { type: 'string', about: 'Slug of the instance (default the platform itself).' } as const;

function blockedOf(db: Queryable, config: Config): BlockedPersons {
  return new BlockedPersons(db, () => new ContactHashes(readRootSecret(config)));
}

async function ownerOf(db: Queryable, input: CommandInput): Promise<MailboxOwner> {
  const slug = optional(input, 'instance');
  return slug === undefined ? null : (await getInstance(db, slug)).id;
}

export const inboundList: Command = {
  name: 'inbound list',
  arguments: '[--instance S]',
  summary: `Lists the last ${maxListed} messages to postmaster@, abuse@ and the like that are for people.`,
  options: { instance },
  example: 'chasqui inbound list',
  async run(input) {
    return await withStore(input.env, async (db, { config }) => {
      const reading = { db, blocked: blockedOf(db, config) };
      const { data } = await listInboundMessages(reading, await ownerOf(db, input), {
        page_size: maxListed,
      });
      const text = table(data, {
        id: ({ id }) => id,
        received: ({ received_at }) => received_at,
        recipient: ({ recipient }) => recipient,
        from: ({ header_from }) => header_from,
        subject: ({ subject }) => subject,
      });
      return { text: data.length > 0 ? text : 'No mail came in for people.', json: { data } };
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
      async (db, { config }) =>
        await getInboundMessage({ db, blocked: blockedOf(db, config) }, await ownerOf(db, input), id),
    );
    return { text: printable(message.raw), json: message };
  },
};
