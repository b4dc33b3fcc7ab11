import type { Broadcast, BroadcastChanges, Field } from '../../api/operations.ts';
import { momentOf, wallTime } from '../../parts/zoned-time.ts';

type Conditions = NonNullable<Broadcast['audience']['conditions']>;
export type Operator = Conditions[number]['operator'];

export interface ConditionRow {
  field: string;
  operator: Operator;
  /** As typed; several with commas for `in`. */
  text: string;
}

/** What is edited of a draft, as inputs have it. */
export interface DraftValues extends Record<string, unknown> {
  name: string;
  sender_id: string;
  template_id: string;
  purpose_id: string;
  conditions: ConditionRow[];
  exclude: string;
  exclude_broadcast_ids: string[];
  schedule_at: string;
  per_hour: string;
}

export function valuesOf(broadcast: Broadcast, timezone: string): DraftValues {
  const { audience, schedule_at, per_hour } = broadcast;
  return {
    name: broadcast.name,
    sender_id: String(broadcast.sender_id),
    template_id: String(broadcast.template_id),
    purpose_id: String(audience.purpose_id),
    conditions: (audience.conditions ?? []).map(({ field, operator, value, values }) => ({
      field,
      operator,
      text: (values ?? [value ?? '']).map(String).join(', '),
    })),
    exclude: (audience.exclude ?? []).join('\n'),
    exclude_broadcast_ids: (audience.exclude_broadcast_ids ?? []).map(String),
    schedule_at: schedule_at === null ? '' : wallTime(new Date(schedule_at), timezone),
    per_hour: per_hour === null ? '' : String(per_hour),
  };
}

interface Reading {
  timezone: string;
  fields: Field[];
}

export function changesOf(values: DraftValues, { timezone, fields }: Reading): BroadcastChanges {
  return {
    name: values.name,
    sender_id: Number(values.sender_id),
    template_id: Number(values.template_id),
    audience: audienceOf(values, fields),
    schedule_at: values.schedule_at === '' ? null : momentOf(values.schedule_at, timezone),
    per_hour: values.per_hour === '' ? null : Number(values.per_hour),
  };
}

export function audienceOf(values: DraftValues, fields: Field[]): Broadcast['audience'] {
  const exclude = values.exclude.split(/[\s,;]+/).filter((each) => each !== '');
  return {
    purpose_id: Number(values.purpose_id),
    conditions: values.conditions.filter(({ field }) => field !== '').map((row) => conditionOf(row, fields)),
    exclude,
    exclude_broadcast_ids: values.exclude_broadcast_ids.map(Number),
  };
}

function conditionOf({ field, operator, text }: ConditionRow, fields: Field[]): Conditions[number] {
  const type = fields.find(({ field_key }) => field_key === field)?.type;
  const typed = (part: string): string | number | boolean => {
    if (type === 'number' && part !== '' && !Number.isNaN(Number(part))) return Number(part);
    if (type === 'boolean') return part === 'true';
    return part;
  };
  if (operator !== 'in') return { field, operator, value: typed(text.trim()) };
  return { field, operator, values: text.split(',').map((part) => typed(part.trim())) };
}

const ofTexts: Operator[] = ['equals', 'contains', 'in'];

/** Comparisons that make sense for a field. */
export function operatorsOf(type: Field['type'] | undefined): Operator[] {
  if (type === 'number' || type === 'date') return ['equals', 'before', 'after', 'in'];
  if (type === 'boolean') return ['equals'];
  if (type === 'select') return ['equals', 'in'];
  if (type === 'multiselect') return ['contains'];
  return ofTexts;
}
