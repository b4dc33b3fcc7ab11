import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';

export const operatorInstancesPath = '/v1/operator/instances';
export const slugParams = Type.Object({
  slug: Type.String({ maxLength: 64, description: 'Of the instance.' }),
});

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 40, description });

/** What an operator changes of an instance. */
export const settings = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  timezone: Type.String({ maxLength: 64, description: 'IANA zone of its dates.' }),
  is_enabled: Type.Boolean({ description: 'False: its API keys are refused.' }),
  subscription_status: Enum(['active', 'inactive']),
  plan_send_limit: Nullable(count('Recipients in a month; null: no limit.')),
  attachment_limit_bytes: count('Mail with more is accepted and dropped.'),
  bandwidth_bytes_per_second: count('Of what it sends.'),
  bandwidth_burst_bytes: count('Of what it sends at once.'),
  retention_months: Type.Integer({ minimum: 1, maximum: 120 }),
  requests_per_second: count('Of each API key; 0: no limit.'),
  requests_burst: count('Of each API key at once.'),
  smtp_messages_per_second: count('Of each SMTP credential; 0: no limit.'),
  ip_allowlist: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 }),
};

export const OperatorInstance = Type.Object(
  {
    slug: Type.String(),
    ...settings,
    created_at: DateTime('Of it.'),
    updated_at: DateTime('Of its last change.'),
  },
  { $id: 'OperatorInstance' },
);
export type OperatorInstance = Static<typeof OperatorInstance>;

export const InstanceChanges = Type.Partial(Type.Object(settings), { $id: 'OperatorInstanceChanges' });

export type InstanceChanges = Static<typeof InstanceChanges>;

export const NewOperatorInstance = Type.Object(
  {
    slug: Type.String({ minLength: 3, maxLength: 32 }),
    name: settings.name,
    timezone: Type.Optional(settings.timezone),
    plan_send_limit: Type.Optional(settings.plan_send_limit),
  },
  { $id: 'NewInstance' },
);

export const instanceExample = {
  slug: 'acme',
  name: 'Acme',
  timezone: 'America/Santiago',
  is_enabled: true,
  subscription_status: 'active',
  plan_send_limit: null,
  attachment_limit_bytes: 1_048_576,
  bandwidth_bytes_per_second: 10_485_760,
  bandwidth_burst_bytes: 67_108_864,
  retention_months: 3,
  requests_per_second: 100,
  requests_burst: 200,
  smtp_messages_per_second: 50,
  ip_allowlist: [],
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
export const instanceAnswer = {
  description: 'The instance.',
  schema: OperatorInstance,
  example: instanceExample,
} as const;
