import type { Queryable } from '../base/db/database.ts';
import type { Violation } from '../base/errors/problem.ts';
import type { Field } from '../forms/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { Audience, AudienceCondition } from './audience-schemas.ts';

type FieldType = Field['type'];
type Operator = AudienceCondition['operator'];

const texts: Operator[] = ['equals', 'contains', 'in'];
const operatorsOf: Record<FieldType, Operator[]> = {
  email: texts,
  phone: texts,
  text: texts,
  textarea: texts,
  url: texts,
  address: texts,
  select: texts,
  multiselect: ['contains'],
  number: ['equals', 'before', 'after', 'in'],
  date: ['equals', 'before', 'after', 'in'],
  boolean: ['equals'],
};

const valueTypes: Partial<Record<FieldType, 'number' | 'boolean'>> = { number: 'number', boolean: 'boolean' };

interface Known extends Record<string, unknown> {
  purposes: number[];
  fields: { field_key: string; type: FieldType }[];
  broadcasts: number[];
}

const known = `
  select array(select p.id from consent_purposes p where p.instance_id = $1 and p.id = $2) as purposes,
    (select coalesce(jsonb_agg(jsonb_build_object('field_key', f.field_key, 'type', f.type)), '[]') from fields f
     where f.instance_id = $1 and f.deleted_at is null and f.field_key = any ($3::text[])) as fields,
    array(select b.id from broadcasts b where b.instance_id = $1 and b.id = any ($4::bigint[])) as broadcasts`;

export async function validateAudience(
  db: Queryable,
  instanceId: number,
  { purpose_id, conditions = [], exclude = [], exclude_broadcast_ids = [] }: Audience,
): Promise<Violation[]> {
  const [found] = await db.query<Known>(known, [
    instanceId,
    purpose_id,
    conditions.map(({ field }) => field),
    exclude_broadcast_ids,
  ]);
  const { purposes, fields, broadcasts } = found as Known;
  const typeOf = new Map(fields.map(({ field_key, type }) => [field_key, type]));
  const unknown = (pointer: string, what: string): Violation => ({
    pointer: `/audience${pointer}`,
    code: `value_error.${what}`,
    message: `There is no such ${what}`,
  });
  return [
    ...(purposes.length === 0 ? [unknown('/purpose_id', 'purpose')] : []),
    ...conditions.flatMap((condition, index) =>
      validateCondition(condition, `/audience/conditions/${index}`, typeOf.get(condition.field)),
    ),
    ...exclude.flatMap((address, index) =>
      canonicalAddress(address)
        ? []
        : [
            {
              pointer: `/audience/exclude/${index}`,
              code: 'value_error.email',
              message: 'This is not an email address',
            },
          ],
    ),
    ...exclude_broadcast_ids.flatMap((id, index) =>
      broadcasts.includes(id) ? [] : [unknown(`/exclude_broadcast_ids/${index}`, 'broadcast')],
    ),
  ];
}

function validateCondition(
  { operator, value, values }: AudienceCondition,
  pointer: string,
  type: FieldType | undefined,
): Violation[] {
  if (type === undefined)
    return [{ pointer: `${pointer}/field`, code: 'value_error.field', message: 'There is no such field' }];
  if (!operatorsOf[type].includes(operator)) {
    const message = `A field of type ${type} is compared by ${operatorsOf[type].join(', ')}`;
    return [{ pointer: `${pointer}/operator`, code: 'value_error.operator', message }];
  }
  const member = operator === 'in' ? 'values' : 'value';
  const given = operator === 'in' ? values : value;
  if (given === undefined) {
    return [{ pointer: `${pointer}/${member}`, code: 'missing', message: `${operator} needs ${member}` }];
  }
  const fitting = [given].flat().every((each) => isOfType(each, type));
  if (fitting) return [];
  return [
    { pointer: `${pointer}/${member}`, code: 'value_error.type', message: `The field is of type ${type}` },
  ];
}

function isOfType(value: string | number | boolean, type: FieldType): boolean {
  if (type === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return typeof value === (valueTypes[type] ?? 'string');
}
