import { Type } from 'typebox';
import { errorCodes } from '../errors/catalogue.ts';
import { idempotencyKeySchema } from '../http/idempotency-key.ts';
import { Enum } from '../http/schemas.ts';
import type { Audience } from './security.ts';

const Violation = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) to the value; empty for the root.' }),
    code: Type.String({ description: 'The rule that is broken.', examples: ['string_too_long'] }),
    message: Type.String({ description: 'The rule in words.' }),
    params: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Context of the rule; left out when empty.' },
      ),
    ),
  },
  { $id: 'Violation' },
);

/** RFC 9457. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'The kind of problem: a page that explains it.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Enum(errorCodes, { description: 'Stable discriminator: switch on this.' }),
    request_id: Type.String({ description: 'As in `X-Request-Id`.' }),
    trace_id: Type.String({ description: 'Report errors with this.' }),
    errors: Type.Optional(Type.Array(Violation, { description: 'With 422: every broken rule.' })),
    retry_after_seconds: Type.Optional(
      Type.Integer({ description: 'Inside an answer, where no `Retry-After` can stand.' }),
    ),
    max_bytes: Type.Optional(Type.Integer({ description: 'With 413: the limit of the route.' })),
    existing_id: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        description: 'With `external_id_already_exists`: the id of what has it.',
      }),
    ),
  },
  { $id: 'Problem' },
);

const header = (description: string, type = 'string') => ({ description, schema: { type } });

export const responseHeaders = {
  ETag: header('Send it back in `If-None-Match`.'),
  Location: header('Path of what was created.'),
  'WWW-Authenticate': header('Always `Bearer`.'),
  'Idempotent-Replayed': header('`true` when the answer is the one of an earlier call with the same key.'),
  'Retry-After': header('Seconds to wait before trying again.', 'integer'),
};

/**
 * A person can be a member of several instances, a key belongs to one. For people beside the security scheme of the same
 * header: some clients send of a scheme only the first part.
 */
export function instanceSlug(audience: Audience) {
  const isOfPerson = audience === 'panel';
  return {
    name: 'X-Instance-Slug',
    in: 'header',
    required: isOfPerson,
    description: isOfPerson
      ? 'The slug of the instance that the call acts on.'
      : "The slug of the key's instance. If it is left out, the key alone says which instance it is; another slug is 401.",
    schema: { type: 'string' },
    example: 'demo',
  };
}

export const idempotencyKey = { name: 'Idempotency-Key', in: 'header', ...idempotencyKeySchema };

/** Standard Webhooks 1.0: what each delivery to a webhook carries. */
export const deliveryHeaders = [
  { name: 'webhook-id', description: 'Unique per event, the same at every attempt and replay.' },
  { name: 'webhook-timestamp', description: 'When this attempt was made, in seconds since 1970.' },
  {
    name: 'webhook-signature',
    description: '`v1,` and an HMAC-SHA256 in base64; two of them, with a space between, after a rotation.',
  },
].map(({ name, description }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** What an endpoint answers to a delivery. */
export const deliveryResponses = {
  DeliveryTaken: { description: 'Taken. Anything else, or nothing within 10 seconds, is tried again.' },
  EndpointGone: { description: 'The endpoint is gone: the webhook is paused.' },
};
