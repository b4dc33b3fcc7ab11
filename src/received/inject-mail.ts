import { Type, type Static } from 'typebox';
import { type Actor, auditOf } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { newId } from '../base/ids.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { composeMessage } from '../protocol/mime/compose-message.ts';
import { matchRoute, tagOf } from './match-route.ts';
import { findReceivingDomains } from './route-directory.ts';
import { insertReceipts } from './store-received.ts';

const audit = auditOf('received_mail');

export const InjectedMail = Type.Object(
  {
    recipient: Type.String({
      minLength: 3,
      maxLength: 320,
      description:
        'An address of a domain of the instance that a route takes; its sandbox domain may have routes too.',
      examples: ['support+4711@demo.sandbox.test'],
    }),
    from: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        default: 'ana@sandbox.test',
        description: 'Sender of the envelope, and From of a mail that is made of its parts.',
      }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 998, default: '', description: 'Its subject.' })),
    text: Type.Optional(Type.String({ maxLength: 500_000, default: '', description: 'Its plain text.' })),
    html: Type.Optional(Type.String({ maxLength: 500_000, description: 'Its HTML.' })),
    in_reply_to: Type.Optional(
      Type.String({ pattern: '^<?[!-;=?-~]{3,250}>?$', description: 'Message-ID that it answers.' }),
    ),
    raw: Type.Optional(
      Type.String({
        maxLength: 900_000,
        description: 'The whole message as a server would hand it over, in place of its parts.',
      }),
    ),
  },
  { $id: 'InjectedMail' },
);
export type InjectedMail = Static<typeof InjectedMail>;

interface Injection {
  mail: InjectedMail;
  now: Date;
  actor: Actor;
}

/** Takes a mail as if a server had handed it over: by the routes of the instance, stored, parsed and told to webhooks. */
export async function injectMail(
  tx: Queryable,
  instanceId: number,
  { mail, now, actor }: Injection,
): Promise<{ id: string }> {
  const recipient = canonicalAddress(mail.recipient);
  const from = canonicalAddress(mail.from ?? 'ana@sandbox.test');
  if (!recipient) throw invalid('/recipient', 'value_error.email', 'This is not an email address');
  if (!from) throw invalid('/from', 'value_error.email', 'This is not an email address');
  const local = recipient.address.slice(0, recipient.address.lastIndexOf('@'));
  const domains = await findReceivingDomains(tx, recipient.domain);
  const own = domains.find(({ instance_id }) => instance_id === instanceId);
  const route = own && matchRoute(own.routes, local);
  if (!own || !route || route.action === 'reject')
    throw invalid('/recipient', 'value_error.no_route', 'No route of the instance takes this address');
  const id = newId(now);
  await insertReceipts(tx, [
    {
      raw:
        mail.raw === undefined
          ? compose(mail, { from: from.address, to: recipient.address, id, now })
          : wireLines(mail.raw),
      is_sandbox: true,
      received_at: now,
      mail_from: from.address,
      helo: 'sandbox.test',
      remote_ip: null,
      tls: null,
      sources: [
        {
          id: newId(now),
          recipients: [
            {
              id,
              instance_id: instanceId,
              domain_id: own.domain_id,
              route_id: route.id,
              action: route.action,
              recipient: recipient.address,
              tag: tagOf(local),
            },
          ],
        },
      ],
    },
  ]);
  await audit(tx, instanceId, { action: 'injected', id, actor, details: { route_id: route.id } });
  return { id };
}

function invalid(pointer: string, code: string, message: string): Error {
  return validationProblem([{ pointer, code, message }]);
}

const wireLines = (raw: string): Buffer => Buffer.from(raw.replaceAll(/\r?\n|\r/g, '\r\n'));

interface Made {
  from: string;
  to: string;
  id: string;
  now: Date;
}

function compose(
  { subject = '', text = '', html, in_reply_to }: InjectedMail,
  { from, to, id, now }: Made,
): Buffer {
  const answered = in_reply_to?.replace(/^<?([^<>]+)>?$/, '<$1>');
  const message = composeMessage({
    from: { address: from },
    to: [{ address: to }],
    subject,
    message_id: `${id}@sandbox.test`,
    date: now,
    headers:
      answered === undefined
        ? []
        : [
            ['In-Reply-To', answered],
            ['References', answered],
          ],
    text: [text],
    ...(html === undefined ? {} : { html: [html] }),
    attachments: [],
  });
  return Buffer.concat([message.header, Buffer.from('\r\n'), ...message.render(() => '')]);
}
