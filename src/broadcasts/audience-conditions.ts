import type { AudienceCondition } from './audience-schemas.ts';

type Operator = AudienceCondition['operator'];

/** SQL over `value`, the newest answer as JSON, and `$n`, what the condition compares it with as JSON. A null meets nothing. */
const comparisons: Record<Operator, (value: string, wanted: string) => string> = {
  equals: (value, wanted) => `${value} = ${wanted}`,
  in: (value, wanted) => `${value} in (select jsonb_array_elements(${wanted}))`,
  contains: (value, wanted) => `case jsonb_typeof(${value})
    when 'array' then ${value} @> ${wanted}
    when 'string' then strpos(${folded(value)}, ${folded(wanted)}) > 0 end`,
  // ISO dates sort as text.
  before: (value, wanted) => `${isSameType(value, wanted)} and ${value} < ${wanted}`,
  after: (value, wanted) => `${isSameType(value, wanted)} and ${value} > ${wanted}`,
};

function folded(json: string): string {
  return `lower((${json} #>> '{}') collate "und-x-icu") collate "C"`;
}

function isSameType(value: string, wanted: string): string {
  return `jsonb_typeof(${value}) = jsonb_typeof(${wanted})`;
}

export function conditionSql({ operator }: AudienceCondition, value: string, wanted: string): string {
  return `coalesce(${comparisons[operator](value, wanted)}, false)`;
}

/** What the condition compares with, as the JSON parameter of `conditionSql`. */
export function wantedOf({ operator, value, values }: AudienceCondition): string {
  return JSON.stringify(operator === 'in' ? (values ?? []) : value);
}
