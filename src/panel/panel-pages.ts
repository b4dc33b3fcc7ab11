import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../base/errors/problem.ts';
import { bodyFor } from '../base/http/encoded-body.ts';
import { htmlPage, pageSecurityPolicy } from '../base/http/html.ts';
import { readBuiltPanel, type BuiltPanel } from './built-files.ts';

/** Stands in the built page where the nonce of an answer goes. */
const noncePlace = 'panel-nonce';

/**
 * Everything from this origin. Scripts are files. Mantine writes its custom properties into style elements, which carry
 * the nonce of the page; no style attribute stands in HTML. Frames show messages, in `preview.html` below.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The page that a message is shown in: it takes the message from the panel and puts it into a frame in which only a script
 * of ours runs, which says how high the message is. Styles of mail are inline. Remote images reveal that the mail was viewed, so they are loaded only from
 * `preview-with-images.html`, which a person has to request. Its origin is its own, whatever frames it.
 */
function previewPolicy(withImages: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    `img-src data:${withImages ? ' https: http:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
}

const year = 'public, max-age=31536000, immutable';
const common = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

/** The panel: its page at every address below `/panel/`, its files by their names. */
export function panelPages(folder: string): (app: FastifyInstance) => void {
  return (app) => {
    const panel = readBuiltPanel(folder);
    app.get('/panel', async (_request, reply) => await reply.redirect('/panel/', 301));
    app.get('/panel/*', async (request, reply) => {
      if (panel === undefined) return await sendUnbuilt(reply);
      const name = (request.params as { '*': string })['*'];
      const isPreview = /^preview(-with-images)?\.html$/.test(name);
      if (isPreview) return await sendPreview(reply, panel, name);
      if (name === 'index.html' || !/\.\w+$/.test(name)) return await sendIndex(reply, panel);
      return await sendFile(reply, panel, { name, accepted: request.headers['accept-encoding'] });
    });
  };
}

function sendIndex(reply: FastifyReply, { index }: BuiltPanel): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      ...common,
      'content-security-policy': pagePolicy(nonce),
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    .send(index.replaceAll(noncePlace, nonce));
}

function sendPreview(reply: FastifyReply, { files }: BuiltPanel, name: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': previewPolicy(name !== 'preview.html'),
      'cache-control': 'no-cache',
    })
    .send(files.get('preview.html')?.bodies.identity);
}

function sendFile(
  reply: FastifyReply,
  { files }: BuiltPanel,
  { name, accepted }: { name: string; accepted: string | undefined },
): FastifyReply {
  const file = files.get(name);
  if (file === undefined) throw new Problem('not_found');
  const { encoding, body } = bodyFor(file.bodies, accepted);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .type(file.content_type)
    .headers({
      ...common,
      vary: 'Accept-Encoding',
      'cache-control': file.is_immutable ? year : 'no-cache',
      // The preview has an origin of its own, from which a module is asked for across origins.
      ...(name.startsWith('assets/preview') ? { 'access-control-allow-origin': '*' } : {}),
    })
    .send(body);
}

function sendUnbuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': pageSecurityPolicy, 'cache-control': 'no-store' })
    .send(
      htmlPage({
        title: 'The panel is not built',
        body: '<h1>The panel is not built</h1>\n<p>Run <code>npm ci && npm run panel:build</code> where Chasqui is installed and start it again.</p>',
      }),
    );
}
