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
    // The token in the URL identifies the mail, so do not send a referrer.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-length': 0,
  };
  return { status: 302, headers, body: undefined };
}

/**
 * Answers opens and clicks before the application: they are the most frequent requests and need no identity,
 * authentication or log line. Anything but a valid token is passed on.
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

/** Some mail clients and scanners append a query. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** For requests not answered above: HEAD, and invalid tokens. */
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
