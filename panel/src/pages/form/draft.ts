import { ApiProblem } from '../../api/problem.ts';
import type { Form, FormSettings, NewForm, NewFormItem } from '../../api/operations.ts';

/** An item while it is edited. The key tells items apart that are the same otherwise. */
export interface DraftItem {
  key: string;
  kind: NewFormItem['kind'];
  field_id: number | null;
  term_id: number | null;
  label: string;
  content: string;
  is_required: boolean;
  width: 'full' | 'half';
}

/** A form while it is edited: what is saved together. */
export interface Draft {
  name: string;
  kind: Form['kind'];
  type: Form['type'];
  is_default: boolean;
  requires_confirmation: boolean;
  auto_reply_sender_id: number | null;
  settings: FormSettings;
  items: DraftItem[];
}

export type ChangeDraft = (changes: Partial<Draft>) => void;

let keys = 0;

export function newItem(item: Partial<DraftItem> & Pick<DraftItem, 'kind'>): DraftItem {
  return {
    key: `item-${(keys += 1)}`,
    field_id: null,
    term_id: null,
    label: '',
    content: '',
    is_required: false,
    width: 'full',
    ...item,
  };
}

export function draftOf(form: Form): Draft {
  const { name, kind, type, is_default, requires_confirmation, auto_reply_sender_id, settings, items } = form;
  return {
    name,
    kind,
    type,
    is_default,
    requires_confirmation,
    auto_reply_sender_id,
    settings: settings ?? {},
    items: items.map(({ id: _id, sort_order: _order, label, content, ...item }) =>
      newItem({ ...item, label: label ?? '', content: content ?? '' }),
    ),
  };
}

/** As the service takes it; what is empty is left out. */
export function bodyOf({ settings, items, ...draft }: Draft): NewForm {
  const { design, auto_reply, ...texts } = settings;
  const look = withoutEmpty(design ?? {});
  const kept = withoutEmpty({
    ...texts,
    ...(Object.keys(look).length > 0 ? { design: look } : {}),
    // An empty reply is one all the same: a short thank you.
    ...(auto_reply ? { auto_reply: withoutEmpty(auto_reply) } : {}),
  });
  return {
    ...draft,
    settings: Object.keys(kept).length === 0 ? null : kept,
    items: items.map(({ key: _key, label, content, ...item }) => ({
      ...item,
      label: label.trim() || null,
      content: item.kind === 'text' ? content : null,
    })),
  };
}

function withoutEmpty<Values extends object>(values: Values): Values {
  const kept = Object.entries(values).filter(
    ([, value]) => value !== null && value !== '' && value !== undefined,
  );
  return Object.fromEntries(kept) as Values;
}

/** What keeps the draft from being saved and is known without the service, in its shape. */
export function refusalOf({ name }: Draft, name_missing: string): ApiProblem | undefined {
  if (name.trim() !== '') return undefined;
  const errors = [{ pointer: '/name', code: 'missing', message: name_missing }];
  return new ApiProblem({ status: 422, code: 'validation_error', detail: name_missing, errors });
}

export const isSame = (one: Draft, other: Draft): boolean =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

/** The list with one item at another place. */
export function moved(items: DraftItem[], key: string, to: number): DraftItem[] {
  const item = items.find((each) => each.key === key);
  if (!item) return items;
  const others = items.filter((each) => each.key !== key);
  const place = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, place), item, ...others.slice(place)];
}
