import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalContact, type ContactType } from './contacts.ts';

const cases: [ContactType, string, string][] = [
  ['email_address', '  Ana.Pérez@Example.COM ', 'ana.pérez@example.com'],
  ['email_address', 'ANA@ÑANDÚ.cl', 'ana@xn--and-6ma2c.cl'],
  ['email_address', ' Nobody ', 'nobody'],
  ['phone_number', ' +56 9 1234-5678 ', '+56912345678'],
  ['phone_number', '0056 (9) 1234.5678', '+56912345678'],
  ['phone_number', '912345678', '912345678'],
  ['phone_number', ' call me ', 'call me'],
  ['phone_number', '+1234567890123456', '+1234567890123456'],
  ['uniquecode', ' RUT-12.345.678-K ', ' RUT-12.345.678-K '],
];
for (const [contact_type, contact, stored] of cases) {
  test(`the ${contact_type} ${JSON.stringify(contact)} is kept as ${JSON.stringify(stored)}`, () => {
    assert.equal(canonicalContact({ contact_type, contact }), stored);
    assert.equal(canonicalContact({ contact_type, contact: stored }), stored, 'and stays what it is');
  });
}
