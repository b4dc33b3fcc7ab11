import { getCapturedSource, listSandboxMessages } from '../../sandbox/sandbox-messages.ts';
import { instance, wordOf, type Command } from '../command.ts';
import { table } from '../table.ts';
import { withInstance, withStore } from './with-store.ts';

const maxListed = 100;

export const sandboxList: Command = {
  name: 'sandbox list',
  arguments: '--instance S',
  summary: `Lists the last ${maxListed} messages that the sandbox captured, newest first.`,
  options: { instance },
  example: 'chasqui sandbox list --instance demo',
  async run(input) {
    return await withInstance(input, async (db, { id }) => {
      const { data } = await listSandboxMessages(db, id, { page_size: maxListed });
      const text = table(data, {
        mail_id: ({ mail_id }) => mail_id,
        captured: ({ captured_at }) => captured_at,
        recipient: ({ recipient }) => recipient,
        subject: ({ subject }) => subject,
      });
      return { text: data.length > 0 ? text : 'The sandbox is empty.', json: { data } };
    });
  },
};

export const sandboxShow: Command = {
  name: 'sandbox show',
  arguments: 'MAIL_ID',
  summary: 'Prints a captured message as it would have gone over the wire.',
  options: {},
  example: 'chasqui sandbox show 019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  async run(input) {
    const mailId = wordOf(input, 'the id of the mail: `chasqui sandbox list` tells it');
    const message = await withStore(input.env, async (db) => await getCapturedSource(db, mailId));
    return { text: message.raw, json: message };
  },
};
