import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { newToken } from '../base/secrets.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { writesFirst } from './fillable-form.ts';
import { FormChanges, type Form, type NewForm, type NewFormItem } from './form-schemas.ts';
import { validateFormSettings, type FormSettings } from './form-settings.ts';
import { getForm } from './forms.ts';
import { findNamed, validateItems, type NamedByItems } from './validate-items.ts';
import { itemRows, replaceItems } from './replace-items.ts';

const audit = auditOf('form');

const columns = Object.keys(FormChanges.properties).filter((key) => key !== 'items') as Exclude<
  keyof FormChanges,
  'items'
>[];

export async function createForm(
  tx: Queryable,
  instanceId: number,
  { form, actor }: { form: NewForm; actor: Actor },
): Promise<Form> {
  const { name, kind, type, items, is_default = false, is_active = true, settings = null } = form;
  const { requires_confirmation = false, auto_reply_sender_id = null, external_id = null } = form;
  await requireFreeExternalId(tx, instanceId, { table: 'forms', external_id });
  const named = await findNamed(tx, instanceId, items);
  refuse([
    ...validateFormSettings(settings),
    ...validateItems(items, named, { kind, kept: new Set() }),
    ...(await validateSender(tx, instanceId, auto_reply_sender_id)),
  ]);
  refuse(await validateReplyTemplate(tx, instanceId, settings));
  requireConfirmable({ type, requires_confirmation, auto_reply_sender_id, settings }, items, named);
  if (is_default) await clearDefault(tx, instanceId, { kind, type });
  const [row] = await tx.query<{ id: number }>(
    `insert into forms (instance_id, name, kind, type, public_token, is_default, is_active, requires_confirmation,
       auto_reply_sender_id, settings, external_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      instanceId,
      name,
      kind,
      type,
      newToken(),
      is_default,
      is_active,
      requires_confirmation,
      auto_reply_sender_id,
      settings === null ? null : JSON.stringify(settings),
      external_id,
    ],
  );
  const { id } = row as { id: number };
  await replaceItems(tx, id, items);
  await audit(tx, instanceId, { action: 'created', id, actor, details: { name, kind, type, external_id } });
  return await getForm(tx, instanceId, id);
}

/** Omitted members stay as they are. A change without effect is not audited. */
export async function updateForm(
  tx: Queryable,
  instanceId: number,
  { id, changes: { items, ...changes }, actor }: { id: number; changes: FormChanges; actor: Actor },
): Promise<Form> {
  await lockForm(tx, instanceId, id);
  const present = await getForm(tx, instanceId, id);
  const wanted = { ...present, ...changes };
  const named = await findNamed(tx, instanceId, items ?? present.items);
  refuse([
    ...validateFormSettings(changes.settings),
    ...(items ? validateItems(items, named, { kind: present.kind, kept: fieldsOf(present) }) : []),
    ...(await validateSender(tx, instanceId, changes.auto_reply_sender_id ?? null)),
  ]);
  refuse(await validateReplyTemplate(tx, instanceId, changes.settings));
  requireConfirmable(wanted, items ?? present.items, named);
  if (wanted.is_default && !(present.is_default && wanted.type === present.type)) {
    await clearDefault(tx, instanceId, wanted);
  }
  const { name, type, is_default, is_active, requires_confirmation, auto_reply_sender_id, external_id } =
    wanted;
  await requireFreeExternalId(tx, instanceId, { table: 'forms', external_id, of: id });
  const settings = wanted.settings === null ? null : JSON.stringify(wanted.settings);
  const haveItemsChanged =
    items !== undefined && !isDeepStrictEqual(itemRows(items), itemRows(present.items));
  if (haveItemsChanged) await replaceItems(tx, id, items);
  const changed = await tx.query(
    `update forms set name = $2, type = $3, is_default = $4, is_active = $5, requires_confirmation = $6,
       auto_reply_sender_id = $7, settings = $8, external_id = $10, updated_at = now()
     where id = $1 and ($9 or (name, type, is_default, is_active, requires_confirmation, auto_reply_sender_id, settings,
       external_id) is distinct from ($2, $3, $4, $5, $6, $7, $8::jsonb, $10))
     returning id`,
    [
      id,
      name,
      type,
      is_default,
      is_active,
      requires_confirmation,
      auto_reply_sender_id,
      settings,
      haveItemsChanged,
      external_id,
    ],
  );
  if (changed.length === 0) return present;
  const others = columns.filter((key) => !isDeepStrictEqual(wanted[key], present[key]));
  const details = { changed: haveItemsChanged ? [...others, 'items'] : others };
  await audit(tx, instanceId, { action: 'updated', id, actor, details });
  return await getForm(tx, instanceId, id);
}

/** Submissions keep their answers, which are stored by key and not by item. */
export async function updateItems(
  tx: Queryable,
  instanceId: number,
  { id, items, actor }: { id: number; items: NewFormItem[]; actor: Actor },
): Promise<Form> {
  await lockForm(tx, instanceId, id);
  const present = await getForm(tx, instanceId, id);
  const named = await findNamed(tx, instanceId, items);
  refuse(validateItems(items, named, { kind: present.kind, kept: fieldsOf(present) }));
  requireConfirmable(present, items, named);
  await replaceItems(tx, id, items);
  await tx.query('update forms set updated_at = now() where id = $1', [id]);
  await audit(tx, instanceId, { action: 'items_replaced', id, actor, details: { items: items.length } });
  return await getForm(tx, instanceId, id);
}

/** Submissions and consents are kept. */
export async function deleteForm(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  await lockForm(tx, instanceId, id);
  const { name } = await getForm(tx, instanceId, id);
  await tx.query('update forms set deleted_at = now(), updated_at = now() where id = $1', [id]);
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { name } });
}

const fieldsOf = ({ items }: Form): Set<number> => new Set(items.flatMap(({ field_id }) => field_id ?? []));

function refuse(violations: Violation[]): void {
  if (violations.length > 0) throw validationProblem(violations);
}

/** A mail of the form needs an email field and a sender. */
function requireConfirmable(
  form: Pick<Form, 'type' | 'requires_confirmation' | 'auto_reply_sender_id'> & {
    settings: FormSettings | null;
  },
  items: Pick<NewFormItem, 'field_id'>[],
  named: NamedByItems,
): void {
  if (!writesFirst(form) && !form.settings?.auto_reply) return;
  const asksForEmail = items.some(({ field_id }) => named.fields.get(field_id ?? 0)?.field_key === 'EMAIL');
  if (!asksForEmail || form.auto_reply_sender_id === null) throw new Problem('confirmation_requires_email');
}

/** A confirmation asks for consent, so its sender must not require consent. */
async function validateSender(tx: Queryable, instanceId: number, id: number | null): Promise<Violation[]> {
  if (id === null) return [];
  const [sender] = await tx.query<{ requires_consent: boolean }>(
    'select requires_consent from senders where instance_id = $1 and id = $2 and deleted_at is null for key share',
    [instanceId, id],
  );
  const pointer = '/auto_reply_sender_id';
  if (!sender) return [{ pointer, code: 'value_error.sender', message: 'There is no such sender' }];
  if (!sender.requires_consent) return [];
  const message = 'This sender writes only to those who have consented already';
  return [{ pointer, code: 'value_error.sender_requires_consent', message }];
}

async function validateReplyTemplate(
  tx: Queryable,
  instanceId: number,
  settings: FormSettings | null | undefined,
): Promise<Violation[]> {
  const id = settings?.auto_reply?.template_id;
  if (!id) return [];
  const found = await tx.query(
    'select from mail_templates where instance_id = $1 and id = $2 and is_published and deleted_at is null',
    [instanceId, id],
  );
  if (found.length > 0) return [];
  const message = 'There is no such template that is published';
  return [{ pointer: '/settings/auto_reply/template_id', code: 'value_error.template', message }];
}

/** Locks the instance: two concurrent new defaults would each clear what they see. */
async function clearDefault(
  tx: Queryable,
  instanceId: number,
  { kind, type }: Pick<Form, 'kind' | 'type'>,
): Promise<void> {
  await tx.query('select from instances where id = $1 for no key update', [instanceId]);
  await tx.query(
    `update forms set is_default = false, updated_at = now()
     where instance_id = $1 and kind = $2 and type = $3 and is_default and deleted_at is null`,
    [instanceId, kind, type],
  );
}

/** Serialises changes of a form. */
async function lockForm(tx: Queryable, instanceId: number, id: number): Promise<void> {
  const found = await tx.query(
    'select from forms where instance_id = $1 and id = $2 and deleted_at is null for no key update',
    [instanceId, id],
  );
  if (found.length === 0) throw new Problem('form_not_found');
}
