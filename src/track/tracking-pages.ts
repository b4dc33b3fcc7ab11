import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithPage } from '../base/http/hosted-page.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { messagePage } from './pages/page-parts.ts';
import { texts } from './pages/texts.ts';
import type { Tracking, TrackingAnswer } from './tracking.ts';

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

function answerFor(answer: TrackingAnswer): Answer {
  if (answer.kind === 'pixel') return shown;
  const headers = {
    location: answer.url,
    // Where the link was found is nobody's business: its token names the mail.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-length': 0,
  };
  return { status: 302, headers, body: undefined };
}

/**
 * Answers an open or a click before the request gets to the application: most of the mail that goes out comes back
 * here, and neither identity, authentication nor a log line of the request adds anything. Whatever is not plainly a
 * visit with a token of ours is left to the application.
 */
export function answerVisit(tracking: Tracking, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', method = '', headers } = request;
  if (method !== 'GET' || url[2] !== '/' || (url[1] !== 'o' && url[1] !== 'c')) return false;
  if (headers.host === undefined || 'content-length' in headers || 'transfer-encoding' in headers)
    return false;
  const answer = tracking.visit(pathOf(url), { method, headers });
  if (!answer) return false;
  const { status, headers: lines, body } = answerFor(answer);
  response.writeHead(status, lines).end(body);
  return true;
}

/** Some mail programs and scanners add a query of their own. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** The same for what is not answered on the way in: HEAD, and tokens that are not ours. */
export function trackingPages(tracking: Tracking): (app: FastifyInstance) => void {
  return (app) => {
    for (const path of ['/o/:token', '/c/:token']) {
      app.get(path, (request, reply) => answerAtLength(tracking, request, reply));
    }
  };
}

function answerAtLength(tracking: Tracking, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, headers, url } = request;
  const answer = tracking.visit(pathOf(url), { method, headers });
  if (!answer) {
    const lang = preferredLanguage(headers['accept-language']);
    return reply.send(answerWithPage(reply, { page: messagePage(lang, texts[lang].not_found), status: 404 }));
  }
  const { status, headers: lines, body } = answerFor(answer);
  return reply.code(status).headers(lines).send(body);
}
