/** What a rule is about. A rate is a share; the rest are numbers of their own unit. */
export const alertKinds = [
  'bounce_rate',
  'complaint_rate',
  'webhook_failing',
  'domain_failed',
  'plan_usage',
  'sending_held',
  'privacy_request_due',
] as const;
export type AlertKind = (typeof alertKinds)[number];

export interface KindRule {
  /** Null: there is nothing to choose. */
  threshold: { value: number; min: number; max: number } | null;
  /** An alert ends when the value is below this share of the threshold, so that a value at its edge raises one alert. */
  ends_below: number;
}

export const kindRules: Record<AlertKind, KindRule> = {
  bounce_rate: { threshold: { value: 0.05, min: 0.001, max: 1 }, ends_below: 0.8 },
  complaint_rate: { threshold: { value: 0.001, min: 0.0001, max: 1 }, ends_below: 0.8 },
  webhook_failing: { threshold: { value: 5, min: 1, max: 1000 }, ends_below: 0 },
  domain_failed: { threshold: null, ends_below: 0 },
  plan_usage: { threshold: { value: 0.8, min: 0.01, max: 1 }, ends_below: 0.95 },
  sending_held: { threshold: null, ends_below: 0 },
  privacy_request_due: { threshold: { value: 7, min: 1, max: 30 }, ends_below: 0 },
};
