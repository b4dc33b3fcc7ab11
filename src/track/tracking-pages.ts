import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { htmlPage, page_security_policy } from '../base/http/html.ts';
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
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': page_security_policy, 'cache-control': 'no-store' })
      .send(nowhere(headers['accept-language']));
  }
  const { status, headers: lines, body } = answerFor(answer);
  return reply.code(status).headers(lines).send(body);
}

const words = {
  en: [
    'This link leads nowhere',
    'It is not complete, or it is not one of ours. Open the mail again and follow it from there.',
  ],
  es: [
    'Este enlace no lleva a ninguna parte',
    'Está incompleto o no es nuestro. Vuelve a abrir el correo y síguelo desde ahí.',
  ],
} as const;

function nowhere(acceptLanguage: string | undefined): string {
  const lang = /^\s*es\b/i.test(acceptLanguage ?? '') ? 'es' : 'en';
  const [title, text] = words[lang];
  return htmlPage({ title, lang, body: `<h1>${title}</h1>\n<p>${text}</p>` });
}
