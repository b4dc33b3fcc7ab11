import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recogniserOf } from '../base/recognise.ts';
import { withoutPerson } from './person-in-line.ts';

const recognises = recogniserOf({
  instance_id: 1,
  emails: ['ana@example.com'],
  phones: ['+56912345678'],
  codes: ['A-1', '+56900000000', 'viewer'],
});

/** What is left of the details of a line, and what was said about the person; undefined where it does not name them. */
function read(details: object, object: { kind?: string; id?: string } = {}) {
  const line = { object_kind: object.kind ?? 'test', object_id: object.id ?? null, details };
  const named = withoutPerson(line, recognises, '-');
  return named && { ...named.words, said: named.said };
}

test('an address is found anywhere, and words about the person go with it; all else stays', () => {
  const details = {
    recipient: 'Ana@Example.com',
    detail: 'Ana Pérez',
    role: 'viewer',
    rows: 7,
    url: 'https://example.com/?to=ana@example.com&x=1',
    filters: { senders: ['ana@example.com', 'eva@example.com'], reason: 'She asked' },
  };
  assert.deepEqual(read(details), {
    object_kind: 'test',
    object_id: null,
    details: {
      recipient: '-',
      detail: '-',
      role: 'viewer',
      rows: 7,
      url: 'https://example.com/?to=-&x=1',
      filters: { senders: ['-', 'eva@example.com'], reason: '-' },
    },
    said: {
      '/recipient': 'Ana@Example.com',
      '/detail': 'Ana Pérez',
      '/url': 'ana@example.com',
      '/filters/senders/0': 'ana@example.com',
      '/filters/reason': 'She asked',
    },
  });
});

test('codes and numbers are found where a contact stands, whole, and of the type that is given', () => {
  const contacts = [
    { contact: '+56 9 1234 5678' },
    { contact: 'A-1', contact_type: 'uniquecode' },
    { contact: 'A-1', contact_type: 'phone_number' },
    { contact: '+56900000000', contact_type: 'phone_number' },
    { contact: 'a-1' },
    { contact: 'viewer or more' },
  ];
  assert.deepEqual(read({ rules: contacts })?.said, {
    '/rules/0/contact': '+56 9 1234 5678',
    '/rules/1/contact': 'A-1',
  });
  assert.deepEqual(read({ filters: { contact: ['A-1'], 'a/b~c': { phone: '+56912345678' } } })?.said, {
    '/filters/contact/0': 'A-1',
    '/filters/a~1b~0c/phone': '+56912345678',
  });
});

test('text that only resembles a code, a number or a word about the person does not match', () => {
  assert.equal(
    read(
      { role: 'viewer', name: 'A-1', note: '+56912345678 viewer', code: 'A-1', 'A-1': true },
      { id: 'A-1' },
    ),
    undefined,
  );
  assert.equal(read({ detail: 'About somebody else', reason: 'A-1' }), undefined);
  assert.equal(read({ contact: 'eva@example.com' }), undefined);
});

test('the object of a line is left, except a contact, which older versions wrote there', () => {
  assert.deepEqual(read({ events: 1 }, { kind: 'contact', id: '+56 (9) 1234-5678' }), {
    object_kind: 'contact',
    object_id: '-',
    details: { events: 1 },
    said: { '/object_id': '+56 (9) 1234-5678' },
  });
  assert.equal(read({}, { kind: 'member', id: 'viewer' }), undefined);
  assert.equal(read({ email: 'ana@example.com' }, { kind: 'member', id: 'viewer' })?.object_id, 'viewer');
});
