import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../http/operation.ts';
import { Components, describeDefault } from './components.ts';
import { errorResponses } from './error-responses.ts';
import { shareRepeated, type SharingOperation } from './share-repeated.ts';
import {
  deliveryHeaders,
  deliveryResponses,
  idempotencyKey,
  instanceSlug,
  responseHeaders,
} from './shared-parts.ts';
import { actsOnInstance, securityOf, securitySchemes, usualSecurity, type Audience } from './security.ts';

/** What we post to endpoints of others. */
export interface PublishedWebhook {
  name: string;
  summary: string;
  schema: TSchema;
  example: unknown;
}

interface DocumentOptions {
  audience: Audience;
  operations: Operation[];
  webhooks: PublishedWebhook[];
  base_url: string;
  title: string;
  description: string;
}

type Json = Record<string, unknown>;

/** Descriptions of the tags, in the order of the reference. */
const tagDescriptions: Record<string, string> = {
  Discovery: 'Where to find this reference and the document it is made from.',
  Mails: 'Sending mail, and the status of each mail, recipient by recipient.',
  Activity: 'What happened to mail over time: sent, opened, clicked, bounced. Each list has an export.',
  Statistics: 'Figures over a range of time.',
  Suppressions: 'Who must not be written to, and why: restrictions, unsubscribes and complaints.',
  Domains: 'The domains that mail is sent from, and the DNS records that prove the right to them.',
  Senders: 'The addresses that mail is sent from.',
  Templates: 'Saved content to send by its id.',
  Consent: 'Terms, purposes, and who agreed to what when; the verdict that a send applies.',
  Forms: 'The forms of the instance and what people submitted.',
  Fields: 'The catalog of contact fields that forms are made of.',
  Webhooks: 'Endpoints of yours that are told of events as they happen.',
  Credentials: 'API keys and SMTP credentials: who may call, from where, and what they may do.',
  Settings: 'The name, the zone and the allowed addresses of the instance.',
  Alerts:
    'What needs attention: alerts of bounces, webhooks, domains, the plan and deadlines, and their rules.',
  Operator:
    'The installation: its instances, their plans and first keys, and the addresses that mail leaves from. With an operator key, made with `chasqui operator-key create`.',
  Contacts: 'What is known about a contact, and imports of contacts with the proof of their consent.',
  Receiving: 'Inbound routes, received mail, answers and forwards.',
  Broadcasts: 'One message to everyone who agreed to a purpose: audience, schedule, report.',
  Rights: 'Privacy requests under the data protection law: access, erasure, opposition, blocking.',
};

/** The OpenAPI 3.1 document of a set of operations: nothing in it is written twice or by hand. */
export function openApiDocument({
  audience,
  operations,
  webhooks,
  base_url,
  title,
  description,
}: DocumentOptions): Json {
  const components = new Components();
  const paths: Record<string, Record<string, SharingOperation>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, audience, components);
  }
  const received = describeWebhooks(webhooks, components);
  const shared = shareRepeated(
    [paths, received].flatMap((items) => Object.values(items).flatMap((methods) => Object.values(methods))),
  );
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: base_url }],
    security: usualSecurity(audience),
    tags: describeTags(new Set(operations.map(({ tag }) => tag))),
    paths,
    ...(webhooks.length > 0 ? { webhooks: received } : {}),
    components: {
      schemas: components.schemas(),
      parameters: shared.parameters,
      responses: { ...shared.responses, ...(webhooks.length > 0 ? deliveryResponses : {}) },
      headers: responseHeaders,
      securitySchemes: securitySchemes(audience),
    },
  };
}

/** The receiver answers each with 2xx. */
function describeWebhooks(
  webhooks: PublishedWebhook[],
  components: Components,
): Record<string, { post: SharingOperation }> {
  const operations = webhooks.map(({ name, summary, schema, example: sample }) => {
    const content = { 'application/json': { schema: components.refer(schema), ...example(sample) } };
    const post = {
      operationId: `receive_${name.replaceAll('.', '_')}`,
      tags: ['Webhooks'],
      summary,
      security: [],
      parameters: deliveryHeaders,
      requestBody: { required: true, content },
      responses: {
        '2XX': { $ref: '#/components/responses/DeliveryTaken' },
        '410': { $ref: '#/components/responses/EndpointGone' },
      },
    };
    return [name, { post }] as const;
  });
  return Object.fromEntries(operations);
}

function describeTags(used: Set<string>): Json[] {
  const known = Object.keys(tagDescriptions).filter((name) => used.has(name));
  return [...new Set([...known, ...used])].map((name) => {
    const description = tagDescriptions[name];
    return description === undefined ? { name } : { name, description };
  });
}

function describe(operation: Operation, audience: Audience, components: Components): SharingOperation {
  const { id, tag, summary, access, body, multipart } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describeAccess(operation),
    ...securityOf(operation),
    parameters: [
      ...(actsOnInstance(access) ? [instanceSlug(audience)] : []),
      ...parameters('path', operation.params, components),
      ...parameters('query', operation.query, components),
      ...(operation.is_repeatable ? [idempotencyKey] : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: components.refer(body), ...bodyExamples(operation) },
              ...(multipart
                ? {
                    'multipart/form-data': {
                      schema: components.refer(formSchema(body as TObject, multipart.file_field)),
                    },
                  }
                : {}),
            },
          },
        }
      : {}),
    responses: { ...success(operation, components), ...errorResponses(operation, components) },
  };
}

/** OpenAPI has either one example or several with names. */
function bodyExamples({ summary, body_example, more_body_examples: more }: Operation): Json {
  if (!more) return example(body_example);
  return { examples: { simple: { summary, value: body_example }, ...more } };
}

/** The same body as a form: arrays and objects are JSON in a text part, files are parts of their own. */
function formSchema(body: TObject, fileField: string): Json {
  const properties = Object.entries(body.properties as unknown as Record<string, Json>).map(
    ([name, property]) => {
      const { type, description, maxLength, minLength } = describeDefault(property);
      if (name === fileField) {
        return [
          name,
          { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
        ];
      }
      const scalar = [type].flat().find((each) => each !== 'null');
      const structured = scalar === 'array' || scalar === 'object';
      const json = structured ? { type: 'string', contentMediaType: 'application/json' } : { type: scalar };
      return [name, { ...json, description, maxLength, minLength }];
    },
  );
  const { $id, required } = body as TObject & { $id?: string };
  // A name of its own: generators would make one type of the two bodies.
  const name = $id === undefined ? {} : { $id: `${$id}Form` };
  return { ...name, type: 'object', required, properties: Object.fromEntries(properties) };
}

function describeAccess({ access, description }: Operation): string {
  return access.kind === 'api_key' ? `${description}\n\nRequired scope: \`${access.scope}\`.` : description;
}

function parameters(place: 'path' | 'query', schema: TObject | undefined, components: Components) {
  const required = new Set(schema?.required);
  return Object.entries((schema?.properties ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, ...rest } = describeDefault(property);
    return {
      name,
      in: place,
      ...(place === 'path' || required.has(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: components.refer(rest),
    };
  });
}

function success(
  {
    success: { status, description, schema, example: sample, also = {}, is_static },
    location,
    is_repeatable,
  }: Operation,
  components: Components,
): Record<string, Json> {
  const names = [
    location ? 'Location' : [],
    is_static ? 'ETag' : [],
    is_repeatable ? 'Idempotent-Replayed' : [],
  ].flat();
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const types = { ...also, ...(schema ? { 'application/json': { schema, example: sample } } : {}) };
  const described = Object.entries(types).map(([type, each]) => [
    type,
    { schema: components.refer(each.schema), ...example(each.example) },
  ]);
  const content = described.length > 0 ? { content: Object.fromEntries(described) as Json } : {};
  const unchanged = { description: 'Nothing changed since the version whose ETag was sent.' };
  return {
    [status]: { description, ...(names.length > 0 ? { headers } : {}), ...content },
    ...(is_static ? { 304: unchanged } : {}),
  };
}

function example(value: unknown): Json {
  return value === undefined ? {} : { example: value };
}
