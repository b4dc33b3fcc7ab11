import { systemClock } from '../../base/clock.ts';
import { readSend } from '../../accept/read-send.ts';
import { sandboxZone } from '../../domains/sandbox.ts';
import { SendMail } from '../../accept/send-schema.ts';
import {
  choice,
  instance,
  list,
  onOrOff,
  optional,
  pairs,
  required,
  textOf,
  type Command,
  type CommandInput,
} from '../command.ts';
import { commandAcceptance } from './command-acceptance.ts';
import { keyedCommand } from './keyed-command.ts';
import { requireValid } from './require-valid.ts';
import { withInstance } from './with-store.ts';

export const send: Command = {
  name: 'send',
  arguments:
    '--instance S --to A,… [--from A] [--sender-name N] [--reply-to A,…|--reply-token] [--subject T] [--html T|@file] [--text T|@file] [--template-alias A|--template-id ID] [--variables JSON|@file] [--strict-variables] [--recipients-visible all|self] [--track-opens on|off] [--track-clicks on|off] [--schedule-at TIME] [--tag NAME=VALUE [--tag …]] [--idempotency-key K]',
  summary: 'Sends a test mail through the same door as the API.',
  options: {
    instance,
    to: { type: 'string', about: 'Recipients, such as delivered@sandbox.test.' },
    from: { type: 'string', about: 'A sender (default the one of the sandbox).' },
    'sender-name': { type: 'string', about: 'Name in From (default the one of the sender).' },
    'reply-to': { type: 'string', about: 'Where replies go, up to ten addresses.' },
    'reply-token': { type: 'boolean', about: 'Answers are received here and tied to their mail.' },
    subject: { type: 'string', about: 'Subject (default "Test mail").' },
    html: { type: 'string', about: 'HTML, or @file.' },
    text: { type: 'string', about: 'Plain text, or @file.' },
    'template-alias': {
      type: 'string',
      about: 'A template in place of subject, HTML and text, by its alias.',
    },
    'template-id': { type: 'string', about: 'Likewise, by its id.' },
    variables: { type: 'string', about: 'What fills its placeholders: a JSON object, or @file.' },
    'strict-variables': {
      type: 'boolean',
      about: 'Refuse when the template reads a variable that is missing.',
    },
    'track-opens': { type: 'string', about: 'off: no pixel in this message.' },
    'track-clicks': { type: 'string', about: 'off: links of this message stay as they are.' },
    'idempotency-key': {
      type: 'string',
      about: 'A second call with the same key and mail within 24 hours sends nothing.',
    },
    'recipients-visible': { type: 'string', about: 'Whether recipients see each other: all or self.' },
    tag: { type: 'string', multiple: true, about: 'A tag, such as campaign=welcome; repeat it for more.' },
    'schedule-at': { type: 'string', about: 'When to send it, such as 2026-12-01T09:00:00-03:00.' },
  },
  example: 'chasqui send --instance demo --to delivered@sandbox.test',
  async run(input) {
    return await withInstance(input, async (db, { id, slug, retention_months }, context) => {
      const acceptance = await commandAcceptance(context);
      const body = await bodyOf(input, `test@${slug}.${sandboxZone}`);
      requireValid(SendMail, body);
      const draft = readSend({ instance_id: id, now: systemClock.now(), retention_months, files: [], body });
      const keyed = keyedCommand(input, {
        instance_id: id,
        operation: 'send',
        content: JSON.stringify(body),
      });
      const { msg_id } = await acceptance.acceptMail(draft, { keyed });
      const mails = await db.query<{ mail_id: string; recipient: string }>(
        'select mail_id, recipient from mails where instance_id = $1 and msg_id = $2 order by mail_id',
        [id, msg_id],
      );
      const lines = mails.map(({ mail_id, recipient }) => `mail ${mail_id} to ${recipient}`);
      return { text: [`queued as ${msg_id}`, ...lines].join('\n'), json: { message_id: msg_id, mails } };
    });
  },
};

async function bodyOf(input: CommandInput, defaultSender: string): Promise<SendMail> {
  const reply_to = list(optional(input, 'reply-to')).map((email) => ({ email }));
  const opens = onOrOff(input, 'track-opens');
  const clicks = onOrOff(input, 'track-clicks');
  return {
    sender_email: optional(input, 'from') ?? defaultSender,
    sender_name: optional(input, 'sender-name') ?? null,
    reply_to,
    to: list(required(input, 'to')).map((email) => ({ email })),
    ...(await contentOf(input)),
    reply_token: input.options['reply-token'] === true,
    recipients_visible: choice(input, 'recipients-visible', ['all', 'self']),
    schedule_at: optional(input, 'schedule-at') ?? null,
    tags: pairs(input, 'tag'),
    tracking: { ...(opens === undefined ? {} : { opens }), ...(clicks === undefined ? {} : { clicks }) },
  };
}

type Content = Pick<
  SendMail,
  'subject' | 'html' | 'text' | 'template_id' | 'template_alias' | 'template_variables' | 'strict_variables'
>;

async function contentOf(input: CommandInput): Promise<Content> {
  const template_alias = optional(input, 'template-alias');
  const template_id = optional(input, 'template-id');
  const variables = await textOf(input, 'variables');
  const isOfTemplate = template_alias !== undefined || template_id !== undefined;
  const subject = optional(input, 'subject') ?? (isOfTemplate ? null : 'Test mail');
  const html = (await textOf(input, 'html')) ?? (isOfTemplate ? null : '<p>A test mail from Chasqui.</p>');
  return {
    subject,
    html,
    text: (await textOf(input, 'text')) ?? null,
    template_alias: template_alias ?? null,
    template_id: template_id === undefined ? null : Number(template_id),
    template_variables: variables === undefined ? null : objectOf(variables),
    strict_variables: input.options['strict-variables'] === true,
  };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Told below.
  }
  throw new Error('--variables takes a JSON object, such as \'{"order": 1001}\'.');
}
