import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { gzip } from 'node:zlib';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { accessibleReference, referenceCss } from './api-reference-page.ts';
import type { ApiReference } from './api-reference.ts';

/** Asks the package for its page and its script, passes them on, and ends. */
const app = Fastify();
await app.register(reference as never, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Chasqui API',
    // Each of these would otherwise call a third-party server.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    customCss: referenceCss,
  },
});
const page = await app.inject('/docs/');
const script = await app.inject('/docs/js/scalar.js');
parentPort?.postMessage({
  html: accessibleReference(page.body),
  script: await promisify(gzip)(script.rawPayload),
} satisfies ApiReference);
