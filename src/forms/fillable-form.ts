import type { Queryable } from '../base/db/database.ts';
import type { Channel } from '../consent/index.ts';
import type { Field } from './field-schemas.ts';
import type { Form, NewFormItem } from './form-schemas.ts';
import type { FormSettings } from './form-settings.ts';

export interface FormField extends Pick<Field, 'field_key' | 'name' | 'type' | 'config'> {
  label: string | null;
  is_required: boolean;
  width: 'full' | 'half';
}

/** A term that can be agreed to, in its current version. */
export interface FormConsent {
  term_id: number;
  term_version_id: number;
  name: string;
  /** Label of the current version. */
  version: string;
  label: string | null;
  body: string;
  document_url: string | null;
  is_required: boolean;
  channels: Channel[];
  purpose_ids: number[];
}

export type FillableItem =
  | { kind: 'field'; field: FormField }
  | { kind: 'consent'; consent: FormConsent }
  /** The term is inactive or has no current version. */
  | { kind: 'closed_consent'; is_required: boolean }
  | { kind: 'divider' }
  | { kind: 'text'; content: string };

/** A form with all that is needed to render it and to validate a submission. */
export interface FillableForm {
  id: number;
  instance_id: number;
  name: string;
  public_token: string;
  type: Form['type'];
  settings: FormSettings | null;
  requires_confirmation: boolean;
  /** Null without a sender, or when it was deleted or requires consent, which is still to be asked for. */
  sender_email: string | null;
  items: FillableItem[];
}

interface ItemRow {
  kind: 'field' | 'consent' | 'divider' | 'text';
  label: string | null;
  content: string | null;
  is_required: boolean;
  width: 'full' | 'half';
  field: Pick<Field, 'field_key' | 'name' | 'type' | 'config'> | null;
  consent: Omit<FormConsent, 'label' | 'is_required'> | null;
}

/** Undefined when missing, inactive or of a disabled instance: the public answer is the same. */
export async function findFillableForm(
  db: Queryable,
  publicToken: string,
): Promise<FillableForm | undefined> {
  // PostgreSQL refuses text with NUL.
  if (!/^[\w-]+$/.test(publicToken)) return undefined;
  const [form] = await db.query<Omit<FillableForm, 'items'>>(
    `select f.id, f.instance_id, f.name, f.public_token, f.type, f.settings, f.requires_confirmation,
       s.email_address as sender_email
     from forms f join instances i on i.id = f.instance_id
       left join senders s on s.id = f.auto_reply_sender_id and s.deleted_at is null and not s.requires_consent
     where f.public_token = $1 and f.deleted_at is null and f.is_active and i.is_enabled`,
    [publicToken],
  );
  if (!form) return undefined;
  const rows = await db.query<ItemRow & Record<string, unknown>>(
    `select ${itemColumns} from form_items it
       left join fields fi on fi.id = it.field_id
       left join consent_terms t on t.id = it.term_id
       left join consent_term_versions v on v.term_id = t.id and v.is_current
     where it.form_id = $1 order by it.sort_order`,
    [form.id],
  );
  return { ...form, items: rows.map(itemOf) };
}

/** Whether a person gets a mail before what they send counts: a double opt-in, or the link of a form of type update. */
export function writesFirst({
  type,
  requires_confirmation,
}: Pick<FillableForm, 'type' | 'requires_confirmation'>): boolean {
  return type === 'update' || requires_confirmation;
}

/** It cannot be submitted whatever is filled in. */
export function isClosed({ items, sender_email, ...form }: FillableForm): boolean {
  if (writesFirst(form) && sender_email === null) return true;
  return items.some((item) => item.kind === 'closed_consent' && item.is_required);
}

const itemColumns = `it.kind, it.label, it.content, it.is_required, it.width,
  case when fi.id is not null then
    json_build_object('field_key', fi.field_key, 'name', fi.name, 'type', fi.type, 'config', fi.config) end as field,
  case when v.id is not null and t.is_active then
    json_build_object('term_id', t.id, 'term_version_id', v.id, 'name', t.name, 'version', v.version, 'body', v.body,
      'document_url', v.document_url, 'channels', t.channels, 'purpose_ids', array(
        select p.id from consent_term_purposes tp join consent_purposes p on p.id = tp.purpose_id
        where tp.term_id = t.id and p.is_enabled order by p.id)) end as consent`;

/** Items that are not saved yet, with what they name in the instance. */
export async function resolveItems(
  db: Queryable,
  instanceId: number,
  items: NewFormItem[],
): Promise<FillableItem[]> {
  const given = items.map(({ is_required = false, width = 'full', ...item }, sort_order) => ({
    ...item,
    is_required,
    width,
    sort_order,
  }));
  const rows = await db.query<ItemRow & Record<string, unknown>>(
    `select ${itemColumns}
     from jsonb_to_recordset($2::jsonb) as it (kind text, field_id bigint, term_id bigint, label text, content text,
         is_required boolean, width text, sort_order integer)
       left join fields fi on fi.id = it.field_id and fi.instance_id = $1 and fi.deleted_at is null
       left join consent_terms t on t.id = it.term_id and t.instance_id = $1
       left join consent_term_versions v on v.term_id = t.id and v.is_current
     order by it.sort_order`,
    [instanceId, JSON.stringify(given)],
  );
  return rows.map(itemOf);
}

function itemOf({ kind, label, content, is_required, width, field, consent }: ItemRow): FillableItem {
  if (kind === 'field' && field) return { kind, field: { ...field, label, is_required, width } };
  if (kind === 'consent') {
    if (!consent || consent.purpose_ids.length === 0) return { kind: 'closed_consent', is_required };
    return { kind, consent: { ...consent, label, is_required } };
  }
  return kind === 'text' ? { kind, content: content ?? '' } : { kind: 'divider' };
}
