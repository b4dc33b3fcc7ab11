import { readSend } from '../../accept/read-send.ts';
import { sandbox_zone } from '../../domains/sandbox.ts';
import { instance, list, optional, required, textOf, type Command } from '../command.ts';
import { commandAcceptance } from './command-acceptance.ts';
import { withInstance } from './with-store.ts';

export const send: Command = {
  name: 'send',
  arguments: '--instance S --to A,… [--from A] [--subject T] [--html T|@file] [--text T|@file]',
  summary: 'Sends a test mail through the same door as the API.',
  options: {
    instance,
    to: { type: 'string', about: 'Recipients, such as delivered@sandbox.test.' },
    from: { type: 'string', about: 'A sender (default the one of the sandbox).' },
    subject: { type: 'string', about: 'Subject (default "Test mail").' },
    html: { type: 'string', about: 'HTML, or @file.' },
    text: { type: 'string', about: 'Plain text, or @file.' },
  },
  example: 'chasqui send --instance demo --to delivered@sandbox.test',
  async run(input) {
    return await withInstance(input, async (db, { id, slug }, context) => {
      const acceptance = await commandAcceptance(context);
      const text = await textOf(input, 'text');
      const draft = readSend({
        instance_id: id,
        files: [],
        body: {
          sender_email: optional(input, 'from') ?? `test@${slug}.${sandbox_zone}`,
          to: list(required(input, 'to')).map((email) => ({ email })),
          subject: optional(input, 'subject') ?? 'Test mail',
          html: (await textOf(input, 'html')) ?? '<p>A test mail from Chasqui.</p>',
          ...(text === undefined ? {} : { text }),
        },
      });
      const { msg_id } = await acceptance.acceptMail(draft);
      const mails = await db.query<{ mail_id: string; recipient: string }>(
        'select mail_id, recipient from mails where instance_id = $1 and msg_id = $2 order by mail_id',
        [id, msg_id],
      );
      const lines = mails.map(({ mail_id, recipient }) => `mail ${mail_id} to ${recipient}`);
      return { text: [`queued as ${msg_id}`, ...lines].join('\n'), json: { message_id: msg_id, mails } };
    });
  },
};
