import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { alertKinds } from './alert-kinds.ts';

const kind = Enum(alertKinds, { description: 'What it is about.' });
const threshold = {
  description:
    'Rates and `plan_usage`: a share from 0 to 1. `webhook_failing`: failed deliveries in a row. `privacy_request_due`: days before the due date. Null where there is nothing to choose.',
  examples: [0.05],
};

export const AlertRule = Type.Object(
  {
    kind,
    is_enabled: Type.Boolean({ description: 'Whether it raises alerts.' }),
    threshold: Nullable(Type.Number(threshold)),
    by_mail: Type.Boolean({ description: 'Whether owners and admins get a mail for each new alert.' }),
  },
  { $id: 'AlertRule' },
);
export type AlertRule = Static<typeof AlertRule>;

export const AlertRuleChanges = Type.Partial(
  Type.Object({
    is_enabled: Type.Boolean(),
    threshold: Nullable(Type.Number({ minimum: 0, maximum: 1000, ...threshold })),
    by_mail: Type.Boolean(),
  }),
  { $id: 'AlertRuleChanges' },
);
export type AlertRuleChanges = Static<typeof AlertRuleChanges>;

export const Alert = Type.Object(
  {
    id: Id('Identifier of the alert.'),
    kind,
    object_id: Nullable(
      Type.String({
        description: 'The webhook, domain or privacy request; null: the instance.',
        examples: ['4'],
      }),
    ),
    object_name: Nullable(Type.String({ description: 'What it is called.', examples: ['Orders'] })),
    value: Nullable(Type.Number({ description: 'The last value, in the unit of the threshold.' })),
    threshold: Nullable(Type.Number({ description: 'Of the rule when the alert was raised.' })),
    raised_at: DateTime('When it was raised.'),
    resolved_at: Nullable(DateTime('When its cause ended; null while it lasts.')),
    is_read: Nullable(Type.Boolean({ description: 'Whether the user has seen it; null for API keys.' })),
  },
  { $id: 'Alert' },
);
export type Alert = Static<typeof Alert>;

export const alertExample = {
  id: 12,
  kind: 'webhook_failing',
  object_id: '4',
  object_name: 'Orders',
  value: 7,
  threshold: 5,
  raised_at: '2026-12-01T12:00:00.000Z',
  resolved_at: null,
  is_read: null,
};
export const ruleExample = { kind: 'bounce_rate', is_enabled: true, threshold: 0.05, by_mail: true };
