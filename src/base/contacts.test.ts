import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalContact, type ContactType, faultOfContact, faultOfIdentifier } from './contacts.ts';

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

const identifiers: [ContactType, string, identifies: boolean, isContact: boolean][] = [
  ['email_address', ' Ana@Ñandú.cl ', true, true],
  ['email_address', `${'a'.repeat(65)}@example.com`, false, true],
  ['email_address', 'nobody', false, false],
  ['email_address', 'ana@[192.0.2.1]', false, false],
  ['email_address', '@example.com', false, false],
  ['phone_number', '0056 (9) 1234–5678', true, true],
  ['phone_number', '+1 234 567', true, true],
  ['phone_number', '+123 456', false, true],
  ['phone_number', '+123456789012345', true, true],
  ['phone_number', '+1234567890123456', false, false],
  ['phone_number', '+0912345678', false, true],
  ['phone_number', '912345678', false, true],
  ['phone_number', 'e', false, false],
  ['phone_number', 'ana@example.com', false, false],
  ['uniquecode', '12.345.678-K', true, true],
  ['uniquecode', 'año_7', true, true],
  ['uniquecode', 'ab', false, true],
  ['uniquecode', 'x'.repeat(100), true, true],
  ['uniquecode', 'x'.repeat(101), false, true],
  ['uniquecode', ' a-1 ', false, true],
  ['uniquecode', 'a.*b', false, true],
  ['uniquecode', '%%%', false, true],
  ['uniquecode', 'erased@erased.invalid', false, true],
];
for (const [contact_type, contact, identifies, isContact] of identifiers) {
  const said = identifies ? 'identifies a person' : isContact ? 'is a contact only' : 'is refused';
  test(`the ${contact_type} ${JSON.stringify(contact)} ${said}`, () => {
    const given = { contact_type, contact };
    assert.deepEqual(
      [faultOfIdentifier(given) === undefined, faultOfContact(given) === undefined],
      [identifies, isContact],
    );
  });
}
