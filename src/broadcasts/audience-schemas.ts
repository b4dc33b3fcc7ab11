import { Type, type Static } from 'typebox';
import { Enum, Id } from '../base/http/schemas.ts';

export const operators = ['equals', 'contains', 'before', 'after', 'in'] as const;

export const audienceLimits = {
  conditions: 10,
  /** Values of one `in`. */
  values: 500,
  value_length: 1_000,
  addresses: 5_000,
  broadcasts: 20,
  sample: 20,
};

const Value = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: audienceLimits.value_length,
  description: 'A text, a number, a date as `YYYY-MM-DD`, true or false, as the type of the field has it.',
});

export const AudienceCondition = Type.Object(
  {
    field: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Z0-9_]+$',
      description: 'The `field_key` of a field of forms. What the contact answered last counts.',
      examples: ['CITY'],
    }),
    operator: Enum(operators, {
      description:
        '`equals` and `in` compare whole values, `contains` a part of a text in either case or one of several choices, `before` and `after` dates and numbers.',
    }),
    value: Type.Optional(Value),
    values: Type.Optional(
      Type.Array(Value, {
        minItems: 1,
        maxItems: audienceLimits.values,
        description: 'For `in`, in place of `value`: any of these.',
      }),
    ),
  },
  { $id: 'AudienceCondition', description: 'A contact without an answer meets no condition.' },
);
export type AudienceCondition = Static<typeof AudienceCondition>;

export const Audience = Type.Object(
  {
    purpose_id: Id(
      'Everyone who agreed to this purpose over mail when the broadcast starts, and has not withdrawn.',
    ),
    conditions: Type.Optional(
      Type.Array(AudienceCondition, {
        maxItems: audienceLimits.conditions,
        description: 'All of them have to be met.',
      }),
    ),
    exclude: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 254, examples: ['ana@example.com'] }), {
        maxItems: audienceLimits.addresses,
        description: 'Addresses that are not written to.',
      }),
    ),
    exclude_broadcast_ids: Type.Optional(
      Type.Array(Id('Identifier of a broadcast.'), {
        maxItems: audienceLimits.broadcasts,
        description: 'Recipients of these broadcasts are not written to again.',
      }),
    ),
  },
  { $id: 'BroadcastAudience' },
);
export type Audience = Static<typeof Audience>;
