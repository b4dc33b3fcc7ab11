import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithPage } from '../base/http/hosted-page.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { linkWarning } from './pages/link-warning-page.ts';
import { messagePage } from './pages/page-parts.ts';
import { texts } from './pages/texts.ts';
import type { DirectAnswer, Tracking } from './tracking.ts';

/** One transparent pixel, GIF89a. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: Buffer | undefined;
}

const shown: Answer = {
  status: 200,
  headers: {
    'content-type': 'image/gif',
    'content-length': pixel.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: pixel,
};

function answerFor(answer: DirectAnswer): Answer {
  if (answer.kind === 'pixel') return shown;
  const headers = {
    location: answer.url,
    // The token in the URL identifies the mail, so do not send a referrer.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-length': 0,
  };
  return { status: 302, headers, body: undefined };
}

/**
 * Answers opens and clicks before the application: they are the most frequent requests and need no identity,
 * authentication or log line. Anything but a valid token is passed on, and a link that does not lead on by itself.
 */
export function answerVisit(tracking: Tracking, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', method = '', headers } = request;
  if (method !== 'GET' || url[2] !== '/' || (url[1] !== 'o' && url[1] !== 'c')) return false;
  if (headers.host === undefined || 'content-length' in headers || 'transfer-encoding' in headers)
    return false;
  const answer = tracking.visitAtOnce(pathOf(url), { method, headers });
  if (!answer) return false;
  const { status, headers: lines, body } = answerFor(answer);
  response.writeHead(status, lines).end(body);
  return true;
}

/** Some mail clients and scanners append a query. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** For requests not answered above: HEAD, invalid tokens, and links that show a warning. */
export function trackingPages(tracking: Tracking): (app: FastifyInstance) => void {
  return (app) => {
    for (const path of ['/o/:token', '/c/:token']) {
      app.get(path, async (request, reply) => await answerAtLength(tracking, request, reply));
    }
  };
}

async function answerAtLength(
  tracking: Tracking,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  const { method, headers, url } = request;
  const answer = await tracking.visit(pathOf(url), { method, headers });
  const lang = preferredLanguage(headers['accept-language']);
  if (!answer) return answerWithPage(reply, { page: messagePage(lang, texts[lang].not_found), status: 404 });
  if (answer.kind === 'warning') return answerWithPage(reply, linkWarning(lang, answer));
  const { status, headers: lines, body } = answerFor(answer);
  reply.code(status).headers(lines);
  return body ?? '';
}
