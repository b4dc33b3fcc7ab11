import type { FastifyInstance } from 'fastify';
import { Problem } from '../../base/errors/problem.ts';
import { pageSecurityPolicy } from '../../base/http/html.ts';
import type { CompatContext } from '../compat-context.ts';
import { findMessages } from '../find-messages.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { AttachmentLinks } from './attachment-link.ts';
import { pageOf, readCursor } from './cursor.ts';
import { emailIdOf } from './email-routes.ts';

const path = '/emails/:id/attachments';
const lifetimeMs = 3_600_000;

interface StoredAttachment {
  position: number;
  filename: string;
  type: string;
  size: number;
  content_id: string | null;
  disposition: string | null;
}

/** What was attached to a sent mail. Its position is its identifier. */
export function attachmentRoutes(context: CompatContext): VendorRoute[] {
  const presentAttachment = teller(context);
  return [
    {
      method: 'GET',
      path,
      scope: 'mail:read',
      handle: async (call) => {
        const { limit, after, before } = readCursor(call.query, Number);
        const { msg_id, stored } = await findStored(context, call);
        const rest = stored.filter(
          ({ position }) =>
            (after === undefined || position > after) && (before === undefined || position < before),
        );
        const { data, has_more } = pageOf(rest, { limit, before: undefined });
        return { object: 'list', has_more, data: data.map((each) => presentAttachment(call, msg_id, each)) };
      },
    },
    {
      method: 'GET',
      path: `${path}/:position`,
      scope: 'mail:read',
      handle: async (call) => {
        const { msg_id, stored } = await findStored(context, call);
        const found = stored.find(({ position }) => String(position) === call.params['position']);
        if (!found) throw new Problem('mail_content_not_found', { detail: 'The attachment was not found.' });
        return { object: 'attachment', ...presentAttachment(call, msg_id, found) };
      },
    },
  ];
}

function teller(context: CompatContext) {
  const links = new AttachmentLinks(context.domains.secret);
  return ({ caller }: VendorCall, msg_id: string, stored: StoredAttachment) => {
    const { position, filename, type, size, content_id, disposition } = stored;
    const expires_at = new Date(context.clock.now().getTime() + lifetimeMs);
    const link = links.make({ instance_id: caller.instance.id, msg_id, position, expires_at });
    return {
      id: String(position),
      filename,
      size,
      content_type: type,
      content_disposition: disposition ?? (content_id === null ? 'attachment' : 'inline'),
      content_id,
      download_url: `${context.base_url}/compat/resend/attachments/${link}`,
      expires_at: expires_at.toISOString(),
    };
  };
}

/** Blocked people are not named, and messages that were sent only to them are not found. */
async function findStored({ db, clock }: CompatContext, call: VendorCall) {
  const { instance } = call.caller;
  const msg_id = emailIdOf(call, clock.now());
  const [message] = await findMessages(db, instance.id, [msg_id]);
  if (!message) throw new Problem('message_not_found');
  const stored = await db.query<StoredAttachment & Record<string, unknown>>(
    `select position, filename, type, octet_length(content) as size, content_id, disposition
     from message_attachments where msg_id = $1 order by position`,
    [msg_id],
  );
  return { msg_id, stored };
}

/** Where `download_url` leads: always a file to keep, never a page of this host. */
export function serveDownloads(app: FastifyInstance, context: CompatContext): void {
  const { db, clock } = context;
  const links = new AttachmentLinks(context.domains.secret);
  app.route<{ Params: { link: string } }>({
    method: 'GET',
    url: '/compat/resend/attachments/:link',
    config: { operation_id: 'resend_download_attachment', ignores_body: true },
    handler: async ({ params }, reply) => {
      const link = links.read(params.link, clock.now());
      const [message] = link ? await findMessages(db, link.instance_id, [link.msg_id]) : [];
      const [file] =
        link && message
          ? await db.query<{ content: Buffer }>(
              'select content from message_attachments where msg_id = $1 and position = $2',
              [link.msg_id, link.position],
            )
          : [];
      if (!file) throw new Problem('not_found', { detail: 'This link is not valid, or no longer.' });
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'content-security-policy': pageSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      });
      return file.content;
    },
  });
}
