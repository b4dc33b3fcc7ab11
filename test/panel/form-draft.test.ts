import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, keyOf, valuesOf } from '../../panel/src/pages/fields/field-values.ts';
import { contrastChecks } from '../../panel/src/pages/form/contrast.ts';
import { bodyOf, draftOf, isSame, moved, newItem, refusalOf } from '../../panel/src/pages/form/draft.ts';

const at = '2026-11-16T07:00:00.000Z';
const plain = { field_id: null, term_id: null, label: null, content: null, is_required: false } as const;
const form = {
  id: 3,
  name: 'Club',
  kind: 'advanced',
  type: 'registration',
  dataset_id: null,
  public_token: 'token',
  is_default: false,
  is_active: true,
  requires_confirmation: false,
  auto_reply_sender_id: null,
  settings: { title: 'Hi', of_others: { kept: 1 }, design: { primary_color: '#0b6b53' } },
  created_at: at,
  updated_at: at,
  items: [
    { ...plain, id: 1, kind: 'field', field_id: 7, width: 'half', sort_order: 1 },
    { ...plain, id: 2, kind: 'text', content: 'Hello', width: 'full', sort_order: 2 },
  ],
} as const;
const draft = () => draftOf(structuredClone(form) as unknown as Parameters<typeof draftOf>[0]);

test('a form without a name is not sent: the field says what is missing', () => {
  const missing = 'Give the form a name.';
  assert.equal(refusalOf(draft(), missing), undefined);
  assert.deepEqual(refusalOf({ ...draft(), name: '  ' }, missing)?.errors, [
    { pointer: '/name', code: 'missing', message: missing },
  ]);
});

test('a draft says again what was saved, members of others included', () => {
  const { settings, items } = bodyOf(draft());
  assert.deepEqual(settings, form.settings);
  assert.deepEqual(
    items.map(({ kind, field_id, content, width }) => [kind, field_id, content, width]),
    [
      ['field', 7, null, 'half'],
      ['text', null, 'Hello', 'full'],
    ],
  );
});

test('cleared members are left out, and an empty reply stays empty', () => {
  const cleared = {
    ...draft(),
    settings: { title: '', design: { primary_color: '' }, auto_reply: { text: '' } },
  };
  assert.deepEqual(bodyOf(cleared).settings, { auto_reply: {} });
  assert.equal(bodyOf({ ...draft(), settings: { title: '' } }).settings, null);
});

test('a change that is taken back does not count', () => {
  const [before, after] = [draft(), draft()];
  assert.ok(isSame(before, after), 'keys of items are of the editor alone');
  const [first] = after.items;
  assert.ok(first);
  assert.ok(!isSame(before, { ...after, items: moved(after.items, first.key, 1) }));
  assert.ok(isSame(before, { ...after, items: moved(moved(after.items, first.key, 1), first.key, 0) }));
});

test('an item moves within its list and never out of it', () => {
  const items = ['a', 'b', 'c'].map((key) => newItem({ kind: 'divider', key }));
  const order = (key: string, to: number) =>
    moved(items, key, to)
      .map((item) => item.key)
      .join('');
  assert.deepEqual(
    [order('a', 2), order('c', 0), order('b', 9), order('b', -4), order('x', 0)],
    ['bca', 'cab', 'acb', 'bac', 'abc'],
  );
});

test('the settings of a field come back as they were, without what its type does not have', () => {
  const field = {
    id: 1,
    name: 'Edad',
    field_key: 'AGE',
    type: 'number',
    is_system: false,
    is_active: true,
    config: { min: 0, max: 120, of_others: true },
    external_id: null,
    created_at: at,
    updated_at: at,
  } as const;
  const values = valuesOf(field);
  assert.deepEqual(configOf(values, field.config), { of_others: true, min: 0, max: 120 });
  assert.deepEqual(configOf({ ...values, max: ' ' }), { min: 0 });
  assert.equal(configOf({ ...values, type: 'boolean' }), null);
  assert.deepEqual(configOf({ ...values, type: 'date', min: '2026-01-01', max: '' }), { min: '2026-01-01' });
});

test('keys are made of names in any alphabet that has capitals of ours', () => {
  assert.equal(keyOf('  Color favorito, año 2 '), 'COLOR_FAVORITO_ANO_2');
  assert.equal(keyOf('x'.repeat(70)).length, 64);
  assert.equal(keyOf('¿?'), '');
});

test('a colour that is hard to see on light is named with a better one, on dark it is adjusted', () => {
  const pale = contrastChecks({ primary_color: '#ffe066' });
  assert.ok(pale.find(({ name }) => name === 'light')?.better);
  const deep = contrastChecks({ primary_color: '#3b0a2c', secondary_color: '#fdf6ec' });
  assert.deepEqual(
    deep.filter(({ ratio, needed }) => ratio < needed),
    [],
  );
  assert.ok(deep.find(({ name }) => name === 'dark')?.adjusted);
  assert.deepEqual(contrastChecks({ primary_color: '#12', secondary_color: '' }), []);
});
