import type { Field, NewField } from '../../api/operations.ts';

export type FieldType = Field['type'];
export interface Option {
  value: string;
  label: string;
}

/** What the dialog edits: the members of `config` by name, empty where they are not set. */
export interface FieldValues extends Record<string, unknown> {
  name: string;
  field_key: string;
  type: FieldType;
  is_active: boolean;
  options: Option[];
  min: string;
  max: string;
  min_length: string;
  max_length: string;
}

/** Inputs that are members of `config`. */
export const configMembers = ['options', 'min', 'max', 'min_length', 'max_length'] as const;

export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'date',
  'select',
  'multiselect',
  'boolean',
  'url',
  'address',
] as const satisfies readonly FieldType[];

export const hasOptions = (type: FieldType): boolean => type === 'select' || type === 'multiselect';
export const hasLength = (type: FieldType): boolean => ['text', 'textarea', 'address'].includes(type);
export const hasRange = (type: FieldType): boolean => type === 'number' || type === 'date';

export const blankField: FieldValues = {
  name: '',
  field_key: '',
  type: 'text',
  is_active: true,
  options: [{ value: '', label: '' }],
  min: '',
  max: '',
  min_length: '',
  max_length: '',
};

export function valuesOf({ name, field_key, type, is_active, config }: Field): FieldValues {
  const kept = config ?? {};
  const text = (member: string): string => {
    const value = kept[member];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    name,
    field_key,
    type,
    is_active,
    options: (kept['options'] as Option[] | undefined) ?? [],
    min: text('min'),
    max: text('max'),
    min_length: text('min_length'),
    max_length: text('max_length'),
  };
}

/** Members of `config` that this page does not know stay as they are. */
export function configOf(values: FieldValues, before: Field['config'] = null): NewField['config'] {
  const { type, options } = values;
  const {
    options: _options,
    min: _min,
    max: _max,
    min_length: _short,
    max_length: _long,
    ...kept
  } = before ?? {};
  const limits = (names: ('min' | 'max' | 'min_length' | 'max_length')[]): [string, unknown][] =>
    names
      .filter((member) => values[member].trim() !== '')
      .map((member) => [member, type === 'date' ? values[member] : Number(values[member])]);
  const config = {
    ...kept,
    ...(hasOptions(type) ? { options } : {}),
    ...Object.fromEntries(hasLength(type) ? limits(['min_length', 'max_length']) : []),
    ...Object.fromEntries(hasRange(type) ? limits(['min', 'max']) : []),
  };
  return Object.keys(config).length === 0 ? null : config;
}

/** `Color favorito` → `COLOR_FAVORITO`, as keys and values of options are written. */
export function keyOf(name: string, longest = 64): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, longest);
}
