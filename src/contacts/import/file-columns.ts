import type { Field } from '../../forms/index.ts';

/** What a file can say when each contact agreed by, in English and Spanish, and as other services export it. */
const names = {
  email: ['email', 'email_address', 'email address', 'e-mail', 'contact', 'recipient', 'correo'],
  consented_at: [
    'consented_at',
    'consent_date',
    'confirmed_at',
    'opt_in_date',
    'optin_time',
    'confirm_time',
    'fecha_consentimiento',
    'fecha de consentimiento',
  ],
};

export interface FieldColumn {
  at: number;
  field: Pick<Field, 'field_key' | 'type' | 'config'>;
}

export interface FileColumns {
  email: number;
  /** -1 where the file does not say. */
  consented_at: number;
  fields: FieldColumn[];
  /** Headers that name nothing that is known. */
  ignored: string[];
}

type KnownField = FieldColumn['field'] & Pick<Field, 'name'>;

const maxIgnored = 100;
const maxHeader = 100;

/** What the columns of a file are by its first row: a field by its key or its name, in either case. Undefined without an address. */
export function readColumns(header: string[], fields: KnownField[]): FileColumns | undefined {
  const lower = header.map((cell) => cell.toLowerCase());
  const find = (wanted: string[]): number => lower.findIndex((cell) => wanted.includes(cell));
  const email = find(names.email);
  if (email === -1) return undefined;
  const columns: FileColumns = { email, consented_at: find(names.consented_at), fields: [], ignored: [] };
  const taken = new Set(['EMAIL']);
  for (const [at, name] of lower.entries()) {
    if (at === email || at === columns.consented_at || name === '') continue;
    const field = fields.find((each) =>
      [each.field_key, each.name].some((own) => own.toLowerCase() === name),
    );
    if (field && !taken.has(field.field_key)) {
      taken.add(field.field_key);
      columns.fields.push({ at, field });
    } else if (columns.ignored.length < maxIgnored) {
      columns.ignored.push((header[at] ?? '').slice(0, maxHeader).toWellFormed());
    }
  }
  return columns;
}
