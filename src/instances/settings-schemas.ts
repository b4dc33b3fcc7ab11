import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';

const ranges = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 200,
  description: 'Addresses or ranges from which members and keys may call; empty: any.',
  examples: [['203.0.113.0/24']],
});

const replyWithdrawal = Enum(['offer', 'automatic', 'off'], {
  description:
    'What becomes of an answer that says nothing but "unsubscribe" or the like: offered to a person, recorded at once where DMARC passes, or ignored.',
});

const secondFactor = Type.Boolean({ description: 'Of members, before anything else of the instance.' });

export const InstanceSettings = Type.Object(
  {
    slug: Type.String({ examples: ['acme'] }),
    name: Type.String({ examples: ['Acme'] }),
    timezone: Type.String({ description: 'IANA zone of dates.', examples: ['America/Santiago'] }),
    ip_allowlist: ranges,
    is_enabled: Type.Boolean({ description: 'False: its API keys are refused.' }),
    subscription_status: Enum(['active', 'inactive']),
    plan_send_limit: Nullable(Type.Integer({ description: 'Recipients in a month; null: no limit.' })),
    attachment_limit_bytes: Type.Integer({ description: 'Mail with more is accepted and dropped.' }),
    retention_months: Type.Integer(),
    requires_second_factor: secondFactor,
    reply_withdrawal: replyWithdrawal,
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
  },
  { $id: 'InstanceSettings' },
);
export type InstanceSettings = Static<typeof InstanceSettings>;

export const InstanceSettingsChanges = Type.Partial(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
    timezone: Type.String({ minLength: 1, maxLength: 64 }),
    ip_allowlist: ranges,
    requires_second_factor: secondFactor,
    reply_withdrawal: replyWithdrawal,
  }),
  { $id: 'InstanceSettingsChanges' },
);
export type InstanceSettingsChanges = Static<typeof InstanceSettingsChanges>;

export const settingsExample = {
  slug: 'acme',
  name: 'Acme',
  timezone: 'America/Santiago',
  ip_allowlist: [],
  is_enabled: true,
  subscription_status: 'active',
  plan_send_limit: null,
  attachment_limit_bytes: 1_048_576,
  retention_months: 3,
  requires_second_factor: false,
  reply_withdrawal: 'offer' as const,
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
