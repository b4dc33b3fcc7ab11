import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { eventTypes, mailTypes, receivedTypes } from './event-types.ts';
import { webhookFormats } from './formats/format.ts';
import { headerName, headerValue, maxHeaderValue, maxHeaders } from './webhook-headers.ts';

export const maxWebhooks = 100;

const events = Type.Array(Enum(eventTypes, { $id: 'EventType' }), {
  minItems: 1,
  maxItems: 100,
  description: 'What it receives; null: all, later types included.',
});
const url = {
  description: 'Where deliveries are posted to. Redirects are not followed.',
  examples: ['https://example.com/hooks/mail'],
};

const format = {
  description: 'Whose form its requests have: ours, or that of another service. It does not change.',
};

export const Webhook = Type.Object(
  {
    id: Id('Identifier of the webhook.'),
    external_id: ExternalId,
    name: Type.String({ examples: ['Orders'] }),
    url: Type.String(url),
    events: Nullable(events),
    format: Enum(webhookFormats, format),
    header_names: Type.Array(Type.String(), {
      description: 'Names of the headers of your own that its requests have. Their values are not shown.',
    }),
    is_active: Type.Boolean({ description: 'False while it is paused.' }),
    last_success_at: Nullable(DateTime('Last delivery answered with 2xx.')),
    last_failure_at: Nullable(DateTime('Last delivery that failed.')),
    failing_since: Nullable(DateTime('First of the failed deliveries in a row.')),
    last_status_code: Nullable(
      Type.Integer({ description: 'Status of the last answer; null when there was none.' }),
    ),
    consecutive_failures: Type.Integer({ description: 'Failed deliveries since the last success.' }),
    auto_paused_at: Nullable(DateTime('When it was paused for failing persistently.')),
    previous_secret_expires_at: Nullable(DateTime('Until when the previous secret signs too.')),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('Last change of its configuration; deliveries do not change it.'),
  },
  { $id: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

const secret = Type.String({
  description: 'The signing secret. It is shown this once: keep it.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
});

const public_key = Nullable(
  Type.String({
    description:
      'Verifies the ECDSA signatures of format `sendgrid`: SPKI in base64. Null for other formats.',
  }),
);

const basic_auth = Nullable(
  Type.Object(
    { username: Type.String(), password: Type.String() },
    { description: 'What requests of format `postmark` authenticate with. Null for other formats.' },
  ),
);

export const CreatedWebhook = Type.Intersect([Webhook, Type.Object({ secret, public_key, basic_auth })], {
  $id: 'CreatedWebhook',
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const RotatedSecret = Type.Object(
  {
    secret,
    public_key,
    basic_auth,
    previous_secret_expires_at: DateTime('Until when the previous secret signs too.'),
  },
  { $id: 'RotatedSecret' },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

const changeable = {
  external_id: ExternalId,
  name: Type.String({ minLength: 1, maxLength: 255, description: 'What you call it.', examples: ['Orders'] }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    ...url,
    description:
      'An https URL without credentials, on any port, whose host is at public addresses only. Redirects are not followed.',
  }),
  events: Nullable(events),
  headers: Nullable(
    Type.Record(
      Type.String({ pattern: headerName }),
      Type.String({ minLength: 1, maxLength: maxHeaderValue, pattern: headerValue }),
      {
        maxProperties: maxHeaders,
        description:
          'Headers of your own on every request, such as a key of your gateway; they replace those of before. Values are encrypted and never shown. Headers of the connection, of the body and of signatures are refused. Null or empty: none.',
        examples: [{ 'X-Gateway-Key': '2f7c9d51' }],
      },
    ),
  ),
  is_active: Type.Boolean({ description: 'False pauses: what happens in a pause is never delivered.' }),
};

export const NewWebhook = Type.Object(
  {
    external_id: Type.Optional(changeable.external_id),
    name: changeable.name,
    url: changeable.url,
    events: Type.Optional(changeable.events),
    headers: Type.Optional(changeable.headers),
    format: Type.Optional(Enum(webhookFormats, { ...format, default: 'chasqui' })),
    is_active: Type.Optional({ ...changeable.is_active, default: true }),
  },
  { $id: 'NewWebhook' },
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChanges = Type.Partial(Type.Object(changeable), { $id: 'WebhookChanges' });
export type WebhookChanges = Static<typeof WebhookChanges>;

export const WebhookTest = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the endpoint answered with 2xx.' }),
    status_code: Nullable(Type.Integer({ description: 'Its answer; null when there was none.' })),
    latency_ms: Type.Integer({ description: 'How long it took.' }),
    error: Nullable(
      Type.String({ description: 'Why there was no good answer.', examples: ['connect_timeout'] }),
    ),
    request_body: Type.String({ description: 'What was posted.' }),
    response_body: Type.String({ description: 'The beginning of the answer.' }),
  },
  { $id: 'WebhookTest' },
);
export type WebhookTest = Static<typeof WebhookTest>;

export const TestQuery = Type.Object({
  type: Type.Optional(
    Nullable(
      Enum([...mailTypes, ...receivedTypes], {
        description: 'Posts an example of this event in place of `webhook.test`.',
      }),
    ),
  ),
});

export const webhookExample = {
  id: 4,
  external_id: 'shop/orders',
  name: 'Orders',
  url: 'https://example.com/hooks/mail',
  events: ['mail.bounced', 'mail.complained'],
  format: 'chasqui',
  header_names: ['X-Gateway-Key'],
  is_active: true,
  last_success_at: '2026-12-01T12:00:00.000Z',
  last_failure_at: null,
  last_status_code: 204,
  consecutive_failures: 0,
  failing_since: null,
  auto_paused_at: null,
  previous_secret_expires_at: null,
  created_at: '2026-11-01T12:00:00.000Z',
  updated_at: '2026-11-01T12:00:00.000Z',
};
export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
