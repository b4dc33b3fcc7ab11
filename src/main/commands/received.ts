import { text as textOfStream } from 'node:stream/consumers';
import { openReceivedFile } from '../../received/received-files.ts';
import { listReceivedMails } from '../../received/received-mails.ts';
import { listRoutes } from '../../received/mail-routes.ts';
import { instance, wordOf, type Command } from '../command.ts';
import { printable, table } from '../table.ts';
import { listCommand } from './list-command.ts';
import { withInstance } from './with-store.ts';

const maxListed = 100;
const always = { from: new Date(0), until: new Date('9999-01-01') };

export const inboundRouteList: Command = listCommand('inbound-route', {
  summary: 'Lists the routes that say what happens to mail for addresses of the domains of an instance.',
  what: 'inbound routes',
  list: listRoutes,
  columns: {
    id: ({ id }) => id,
    domain: ({ domain }) => domain,
    position: ({ position }) => position,
    match: ({ match }) => match,
    local_part: ({ local_part }) => local_part,
    action: ({ action }) => action,
    active: ({ is_active }) => (is_active ? 'yes' : 'no'),
  },
});

export const receivedList: Command = {
  name: 'received list',
  arguments: '--instance S',
  summary: `Lists the last ${maxListed} mails that routes took, newest first.`,
  options: { instance },
  example: 'chasqui received list --instance acme',
  async run(input) {
    return await withInstance(input, async (db, { id }) => {
      const wanted = { filters: { range: always }, page: { page_size: maxListed } };
      const { data } = await listReceivedMails(db, id, wanted);
      const text = table(data, {
        id: (mail) => mail.id,
        received: ({ received_at }) => received_at,
        state: ({ state }) => state,
        recipient: ({ recipient }) => recipient,
        from: ({ mail_from }) => mail_from ?? '<>',
        subject: ({ subject }) => printable(subject ?? ''),
      });
      return { text: data.length > 0 ? text : 'No mail was received.', json: { data } };
    });
  },
};

export const receivedShow: Command = {
  name: 'received show',
  arguments: '--instance S ID',
  summary: 'Prints the source of a received mail.',
  options: { instance },
  example: 'chasqui received show --instance acme 019a84f2-7c00-7000-8000-2f6d1c3b5a7c',
  async run(input) {
    const id = wordOf(input, 'the id of the mail: `chasqui received list` tells it');
    return await withInstance(input, async (db, owner) => {
      const file = await openReceivedFile(db, owner.id, { id, n: 'raw' });
      const raw = await textOfStream(await file.open());
      return { text: printable(raw), json: { id, raw } };
    });
  },
};
