import { readFile } from 'node:fs/promises';
import type { Queryable } from '../../base/db/database.ts';
import { createForm } from '../../forms/change-form.ts';
import { findFieldIds } from '../../forms/fields.ts';
import { NewForm } from '../../forms/form-schemas.ts';
import { getForm, listForms } from '../../forms/forms.ts';
import { idOf, instance, type Command, type CommandInput } from '../command.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator, withInstance } from './with-store.ts';
import { requireValid } from './require-valid.ts';

async function readForm({ words: [word = ''] }: CommandInput): Promise<Record<string, unknown>> {
  if (!word.startsWith('@')) throw new Error('Give @ and the path of a JSON file with the form.');
  const text = await readFile(word.slice(1), 'utf8');
  let form: unknown;
  try {
    form = JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw new Error(`${word.slice(1)} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof form !== 'object' || form === null) throw new Error(`${word.slice(1)} has no object.`);
  return form as Record<string, unknown>;
}

/** A file may name fields by their keys, which people know, where the API takes identifiers. */
async function withFieldIds(
  tx: Queryable,
  instanceId: number,
  form: Record<string, unknown>,
): Promise<unknown> {
  const items = Array.isArray(form['items']) ? (form['items'] as unknown[]) : [];
  const keyOf = (item: unknown): string | undefined => {
    const key = (item as { field_key?: unknown } | null)?.field_key;
    return typeof key === 'string' ? key : undefined;
  };
  const ids = await findFieldIds(
    tx,
    instanceId,
    items.map(keyOf).filter((key) => key !== undefined),
  );
  return {
    ...form,
    items: items.map((item) => {
      const key = keyOf(item);
      if (key === undefined) return item;
      if (!ids.has(key)) throw new Error(`There is no field '${key}' in this instance.`);
      return { ...(item as object), field_id: ids.get(key) };
    }),
  };
}

export const formCreate: Command = {
  name: 'form create',
  arguments: '--instance S @form.json',
  summary: 'Makes a form of a JSON file, as the panel would send it; items may name fields by field_key.',
  options: { instance },
  example: 'chasqui form create --instance acme @newsletter.json',
  async run(input) {
    const given = await readForm(input);
    const form = await changeInstance(input, async (tx, { id }) => {
      const wanted = await withFieldIds(tx, id, given);
      requireValid(NewForm, wanted);
      return await createForm(tx, id, { form: wanted as NewForm, actor: operator });
    });
    return { text: `Form ${form.id} '${form.name}' is there: /f/${form.public_token}`, json: form };
  },
};

export const formList = listCommand('form', {
  summary: 'Lists the forms of an instance.',
  what: 'forms',
  list: listForms,
  columns: {
    id: (form) => form.id,
    state: ({ is_active }) => (is_active ? 'active' : 'inactive'),
    kind: ({ kind }) => kind,
    name: ({ name }) => name,
  },
});

export const formShow: Command = {
  name: 'form show',
  arguments: '--instance S ID',
  summary: 'Shows a form and its items.',
  options: { instance },
  example: 'chasqui form show --instance acme 3',
  async run(input) {
    const id = idOf(input);
    const form = await withInstance(
      input,
      async (db, { id: instanceId }) => await getForm(db, instanceId, id),
    );
    return { text: JSON.stringify(form, undefined, 2), json: form };
  },
};
