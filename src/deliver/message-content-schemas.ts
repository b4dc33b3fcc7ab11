import { Type, type Static } from 'typebox';
import { Enum, Nullable } from '../base/http/schemas.ts';

const text = (description: string) => Nullable(Type.String({ description }));

const ContentLink = Type.Object({
  url: Type.String(),
  clicks: Type.Integer({ description: 'By people.' }),
  machine_clicks: Type.Integer({ description: 'By scanners and proxies.' }),
});
export type ContentLink = Static<typeof ContentLink>;

export const MessageContent = Type.Object(
  {
    mail_id: Type.String(),
    msg_id: Type.String(),
    source: Enum(['http', 'smtp', 'form'], { description: 'How it came in.' }),
    stream: Enum(['transactional', 'broadcast']),
    size_bytes: Type.Integer({ description: 'Octets of the source.' }),
    own_links_work: Type.Boolean({
      description:
        'Always false: the links to unsubscribe, report and view of this copy, and of its source, do nothing, so that a reader cannot act for the recipient.',
    }),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'In their order, unfolded.',
    }),
    html: text('HTML part, with the images that the message carries. Show it in a sandboxed frame.'),
    text: text('Plain-text part.'),
    attachments: Type.Array(
      Type.Object({
        position: Type.Integer({ description: 'By which it is downloaded.' }),
        filename: text('Name of the file.'),
        type: Type.String({ description: 'Media type.' }),
        size_bytes: Type.Integer({ description: 'Octets of the file.' }),
        content_id: text('By which the HTML part refers to it.'),
      }),
    ),
    links: Type.Array(ContentLink, { description: 'Of the HTML part, at most 500.' }),
    siblings: Type.Array(
      Type.Object({
        mail_id: Type.String(),
        to: Type.String(),
        kind: Enum(['to', 'cc', 'bcc']),
        status: Type.Integer(),
      }),
      { description: 'Other recipients of the same message, at most 50.' },
    ),
  },
  { $id: 'MessageContent' },
);
export type MessageContent = Static<typeof MessageContent>;

export const messageContentExample: MessageContent = {
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  source: 'http',
  stream: 'transactional',
  size_bytes: 1830,
  own_links_work: false,
  headers: [{ name: 'Subject', value: 'Your order 1001' }],
  html: '<p>It is <a href="https://example.com/1001">on its way</a>.</p>',
  text: 'It is on its way.',
  attachments: [
    { position: 1, filename: 'order.pdf', type: 'application/pdf', size_bytes: 52_100, content_id: null },
  ],
  links: [{ url: 'https://example.com/1001', clicks: 2, machine_clicks: 0 }],
  siblings: [],
};
