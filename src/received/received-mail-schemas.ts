import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { receivedStates } from './received-mail.ts';

const text = (description: string, example?: string) =>
  Nullable(Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) }));
const takenActions = ['webhook', 'forward', 'store'] as const;
const verdicts = ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'] as const;
const result = (description: string) => Enum(verdicts, { description });

const NamedAddress = Type.Object(
  { email: Type.String({ examples: ['ana@example.org'] }), name: text('As the header has it.', 'Ana') },
  { $id: 'NamedAddress' },
);
const addresses = (description: string) => Type.Array(NamedAddress, { description });

const summary = {
  id: Type.String({ description: 'Identifier of the received mail, and of its event.' }),
  received_at: DateTime('When it came in.'),
  state: Enum(receivedStates, {
    description: '`pending`: not parsed yet. `failed`: it could not be parsed; its source is kept.',
  }),
  action: Enum(takenActions, { description: 'What the route said when it came in.' }),
  route_id: Nullable(Type.Integer({ description: 'The route that took it.' })),
  domain_id: Type.Integer({ description: 'The domain that it was for.' }),
  is_sandbox: Type.Boolean({ description: 'Whether it was made by a call and not handed over by a server.' }),
  mail_from: text('Sender of the envelope; null is the empty one of a report.', 'ana@example.org'),
  recipient: Type.String({
    description: 'Recipient of the envelope.',
    examples: ['support+4711@mail.example.com'],
  }),
  tag: text('What follows the first `+` of its local part.', '4711'),
  from_address: text('From, as the header says it.', 'ana@example.org'),
  from_name: text('Name in From.', 'Ana'),
  subject: text('Subject, decoded.', 'Re: Your order 1001'),
  size_bytes: Type.Integer({ description: 'Octets of the source.' }),
  attachment_count: Type.Integer({ description: 'Its attachments.' }),
  is_auto_reply: Type.Boolean({ description: 'Whether a program answered in place of a person.' }),
  is_read: Type.Boolean({ description: 'Whether somebody of the instance has opened it in the panel.' }),
  in_reply_to_mail_id: text('The sent mail that it answers, where that is known.'),
};

export const ReceivedMailSummary = Type.Object(summary, { $id: 'ReceivedMailSummary' });
export type ReceivedMailSummary = Static<typeof ReceivedMailSummary>;

const AttachmentOfMail = Type.Object(
  {
    n: Type.Integer({ description: 'Its number in the mail, from 1.' }),
    filename: text('Name of the file.', 'order.pdf'),
    content_type: Type.String({
      description: 'Media type, as its sender says.',
      examples: ['application/pdf'],
    }),
    content_id: text('By which the HTML refers to it, without brackets.'),
    disposition: Enum(['attachment', 'inline'] as const, { description: 'How it is to be shown.' }),
    size_bytes: Type.Integer({ description: 'Octets of the file.' }),
    url: Type.String({ description: 'Link to the file, without credentials, until `links_expire_at`.' }),
  },
  { $id: 'ReceivedAttachment' },
);

const Authentication = Type.Object(
  {
    spf: Type.Object({ result: result('RFC 7208.'), domain: text('The domain that was checked.') }),
    dkim: Type.Array(
      Type.Object({
        result: result('RFC 6376.'),
        domain: text('The domain that signed.'),
        selector: text('Name of its key.'),
        is_aligned: Type.Boolean({
          description: 'Whether it is the domain of From, or of its organisation.',
        }),
      }),
      { description: 'One for each signature.' },
    ),
    dmarc: Type.Object({
      result: result('RFC 9989.'),
      domain: text('Organisational domain of From.'),
      policy: Nullable(
        Enum(['none', 'quarantine', 'reject'] as const, {
          description: 'What its owner asks for on failure.',
        }),
      ),
    }),
    arc: Type.Object({ result: result('RFC 8617.'), domain: text('Who sealed it last.') }),
  },
  { $id: 'ReceivedAuthentication' },
);

const Automation = Type.Object(
  {
    auto_submitted: Enum(['no', 'auto-generated', 'auto-replied', 'auto-notified'] as const, {
      description: 'RFC 3834.',
    }),
    is_auto_reply: Type.Boolean({ description: 'An out-of-office reply or the like.' }),
    is_report: Type.Boolean({ description: 'A bounce or another report.' }),
    list_id: text('List-Id (RFC 2919).'),
    list_unsubscribe: text('List-Unsubscribe (RFC 2369).'),
    precedence: text('Precedence, in lower case.'),
    is_loop: Type.Boolean({ description: 'Signs that it goes in a circle: do not answer it.' }),
  },
  { $id: 'ReceivedAutomation' },
);

const detail = {
  ...summary,
  helo: Type.String({ description: 'How the server called itself.' }),
  remote_ip: text('The server that handed it over.', '192.0.2.1'),
  tls: text('Protocol and cipher of the connection; null without TLS.'),
  from: addresses('From.'),
  to: addresses('To.'),
  cc: addresses('Cc.'),
  reply_to: addresses('Reply-To.'),
  message_id: text('Message-ID, without brackets.'),
  in_reply_to: text('In-Reply-To, without brackets.'),
  references: Type.Array(Type.String(), { description: 'References, without brackets, at most 50.' }),
  sent_at: Nullable(DateTime('Date, as its sender says.')),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'In their order, unfolded, not decoded; at most 300.',
  }),
  text: text('Plain-text part, at most 512 KB of it.'),
  html: text('HTML part as it was written, at most 512 KB of it: untrusted input.'),
  text_reply: text('The text without what it quotes.'),
  text_reply_confidence: Nullable(Type.Number({ description: 'How sure that is, from 0 to 1.' })),
  is_truncated: Type.Boolean({ description: 'Whether the source has more than is shown.' }),
  authentication: Nullable(Authentication),
  automation: Nullable(Automation),
  spam_score: Nullable(
    Type.Number({ description: 'Of Rspamd, where the operator has one; nothing is decided by it.' }),
  ),
  attachments: Type.Array(AttachmentOfMail),
  raw_url: Type.String({ description: 'Link to the source, without credentials, until `links_expire_at`.' }),
  links_expire_at: DateTime('Until when the links can be used.'),
  parse_error: text('Why it could not be parsed.'),
  parsed_at: Nullable(DateTime('When it was last parsed.')),
};

export const ReceivedMail = Type.Object(detail, { $id: 'ReceivedMail' });
export type ReceivedMail = Static<typeof ReceivedMail>;

/** What the event of a received mail has: the files too, where they fit. */
export const receivedEventMembers = {
  ...detail,
  attachments: Type.Array(
    Type.Intersect([
      AttachmentOfMail,
      Type.Object({
        content: text('The file in base64 while all files of the mail have at most 1 MB; null: use `url`.'),
      }),
    ]),
  ),
};

export const receivedSummaryExample = {
  id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7c',
  received_at: '2026-12-01T12:00:00.400Z',
  state: 'parsed',
  action: 'webhook',
  route_id: 3,
  domain_id: 12,
  is_sandbox: false,
  mail_from: 'ana@example.org',
  recipient: 'support+4711@mail.example.com',
  tag: '4711',
  from_address: 'ana@example.org',
  from_name: 'Ana',
  subject: 'Re: Your order 1001',
  size_bytes: 183_044,
  attachment_count: 1,
  is_auto_reply: false,
  is_read: false,
  in_reply_to_mail_id: null,
};

const link = 'https://mail.example.com/v1/received-files/AZqE8nwAcACAAC9tHDtaeg';

export const receivedMailExample = {
  ...receivedSummaryExample,
  helo: 'mail.example.org',
  remote_ip: '192.0.2.1',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  from: [{ email: 'ana@example.org', name: 'Ana' }],
  to: [{ email: 'support+4711@mail.example.com', name: null }],
  cc: [],
  reply_to: [],
  message_id: 'CAF=1@mail.example.org',
  in_reply_to: '019a84f2-7c00-7000-8000-2f6d1c3b5a79@mail.example.com',
  references: ['019a84f2-7c00-7000-8000-2f6d1c3b5a79@mail.example.com'],
  sent_at: '2026-12-01T11:59:58.000Z',
  headers: [{ name: 'Subject', value: 'Re: Your order 1001' }],
  text: 'It has not arrived.\n',
  html: null,
  text_reply: null,
  text_reply_confidence: null,
  is_truncated: false,
  authentication: {
    spf: { result: 'pass', domain: 'example.org' },
    dkim: [{ result: 'pass', domain: 'example.org', selector: 's1', is_aligned: true }],
    dmarc: { result: 'pass', domain: 'example.org', policy: 'reject' },
    arc: { result: 'none', domain: null },
  },
  automation: {
    auto_submitted: 'no',
    is_auto_reply: false,
    is_report: false,
    list_id: null,
    list_unsubscribe: null,
    precedence: null,
    is_loop: false,
  },
  spam_score: null,
  attachments: [
    {
      n: 1,
      filename: 'order.pdf',
      content_type: 'application/pdf',
      content_id: null,
      disposition: 'attachment',
      size_bytes: 130_000,
      url: `${link}ABAABQRw`,
    },
  ],
  raw_url: `${link}AAAABQRw`,
  links_expire_at: '2026-12-09T00:00:00.000Z',
  parse_error: null,
  parsed_at: '2026-12-01T12:00:00.600Z',
};
