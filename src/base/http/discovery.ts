import { Type } from 'typebox';
import { openApiDocument, type PublishedWebhook } from '../openapi/document.ts';
import { htmlPage, wantsHtml } from './html.ts';
import { HtmlPage, operation, type Operation, type Success } from './operation.ts';
import { createStaticDocument, type StaticDocument } from './static-document.ts';

const description =
  'Accepts mail over HTTP and SMTP, delivers it, and records its status for each recipient. Every call acts on one instance. Errors are RFC 9457 problem documents; switch on their `code`. Every response has `X-Request-Id` (yours, or a new one) and `X-Trace-Id`: report problems with them.';

const panelDescription =
  'What the panel calls, with the access token of a person in place of an API key. These operations are not part of the public contract.';

const openApiSuccess: Success = {
  status: 200,
  description: 'An OpenAPI 3.1 document.',
  schema: Type.Object({}, { additionalProperties: true }),
  example: { openapi: '3.1.0', info: { title: 'Chasqui API', version: '1' }, paths: {} },
  is_static: true,
};

/** The operations that tell of the others. The document lists what this very process was given. */
export function withDiscovery(
  operations: Operation[],
  address: { readonly base_url: string },
  webhooks: PublishedWebhook[] = [],
): Operation[] {
  const all: Operation[] = [];
  const isPrivate = ({ path }: Operation): boolean => path.startsWith('/v1/private/');
  const published = documentPerAddress(address, (base_url) =>
    openApiDocument({
      audience: 'programs',
      operations: all.filter((each) => !isPrivate(each)),
      webhooks,
      base_url,
      title: 'Chasqui API',
      description,
    }),
  );
  const ofPanel = documentPerAddress(address, (base_url) =>
    openApiDocument({
      audience: 'panel',
      operations: all.filter(isPrivate),
      webhooks: [],
      base_url,
      title: 'Chasqui panel',
      description: panelDescription,
    }),
  );
  all.push(
    operation({
      id: 'get_service',
      method: 'GET',
      path: '/',
      tag: 'Discovery',
      summary: 'Where to find what',
      description:
        'Links to the reference for people, and to the contract, the MCP server and the guides for machines. A browser gets a page.',
      access: { kind: 'open' },
      success: {
        status: 200,
        description: 'The links.',
        schema: Type.Object({
          name: Type.String(),
          docs: Type.String(),
          openapi: Type.String(),
          mcp: Type.String(),
          llms: Type.String(),
        }),
        example: {
          name: 'Chasqui',
          docs: 'https://mail.example.com/docs',
          openapi: 'https://mail.example.com/openapi.json',
          mcp: 'https://mail.example.com/mcp',
          llms: 'https://mail.example.com/llms.txt',
        },
      },
      errors: [],
      handle: async (call) => {
        if (wantsHtml(call.header('accept'))) return new HtmlPage(welcomePage());
        return {
          name: 'Chasqui',
          docs: `${address.base_url}/docs`,
          openapi: `${address.base_url}/openapi.json`,
          mcp: `${address.base_url}/mcp`,
          llms: `${address.base_url}/llms.txt`,
        };
      },
    }),
    operation({
      id: 'get_openapi',
      method: 'GET',
      path: '/openapi.json',
      tag: 'Discovery',
      summary: 'The machine-readable contract',
      description: 'This document, generated from the running code. It prevails over any other description.',
      access: { kind: 'open' },
      success: openApiSuccess,
      errors: [],
      handle: async () => await published(),
    }),
    operation({
      id: 'get_panel_openapi',
      method: 'GET',
      path: '/v1/private/openapi.json',
      tag: 'Discovery',
      summary: 'The operations of the panel',
      description:
        'The document of the operations below `/v1/private`. They change with the panel, without notice.',
      access: { kind: 'open' },
      success: openApiSuccess,
      errors: [],
      handle: async () => await ofPanel(),
    }),
    ...operations,
  );
  return all;
}

function welcomePage(): string {
  return htmlPage({
    title: 'Chasqui',
    body: `<h1>Chasqui</h1>
<p>This is an email delivery service: it accepts mail over HTTP and SMTP, delivers it, and records its status.</p>
<ul>
<li><a href="/panel/">Panel</a>: sign in, see mail and change settings</li>
<li><a href="/docs/guides">Guides</a>: how to send, receive events and run the service</li>
<li><a href="/docs/">API reference</a>: every operation, with <a href="/docs/errors">every error</a></li>
<li><a href="/openapi.json">OpenAPI</a> and <a href="/llms.txt">llms.txt</a>: for programs</li>
</ul>`,
  });
}

/** Made once per address, of which there are two at most: anyone may ask for it, and it costs some milliseconds. */
function documentPerAddress(
  address: { readonly base_url: string },
  make: (base_url: string) => object,
): () => Promise<StaticDocument> {
  const made = new Map<string, Promise<StaticDocument>>();
  return async () => {
    const { base_url } = address;
    const document = made.get(base_url) ?? createStaticDocument(make(base_url));
    made.set(base_url, document);
    return await document;
  };
}
