import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { TextInput } = await import('@mantine/core');
const { ApiProblem } = await import('../src/api/problem.ts');
const { AddressList } = await import('../src/parts/address-list.tsx');
const { FormDialog } = await import('../src/parts/form-dialog.tsx');
const { SecretDialog } = await import('../src/parts/secret-dialog.tsx');
const { render } = await import('./render.ts');

const refused = new ApiProblem({
  status: 422,
  detail: 'The request is not valid.',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  errors: [
    { pointer: '/ip_allowlist/0', code: 'invalid', message: 'This is not an address range' },
    { pointer: '/plan', code: 'missing', message: 'The plan is missing' },
  ],
});

test('a refusal is shown at its input, other problems below, and the form keeps what was typed', async () => {
  const sent: unknown[] = [];
  let closed = 0;
  const page = await render(
    h(FormDialog<{ name: string; ip_allowlist: string[] }>, {
      title: 'Edit',
      opened: true,
      onClose: () => (closed += 1),
      initial: { name: '', ip_allowlist: ['here'] },
      onSubmit: async (values, changed) => {
        sent.push(changed);
        if (sent.length === 1) throw refused;
        return await Promise.resolve(values);
      },
      children: (form) => [
        h(TextInput, { key: 'name', label: 'Name', ...form.getInputProps('name') }),
        h(AddressList, {
          key: 'ip',
          label: 'Allowed addresses',
          description: '',
          ...form.getInputProps('ip_allowlist'),
        }),
      ],
    }),
  );
  await page.type('Name', 'shop');
  await page.click('button', 'Save');
  const addresses = page.get('textbox', 'Allowed addresses');
  assert.equal(addresses.getAttribute('aria-invalid'), 'true');
  assert.match(page.text(), /This is not an address range/);
  assert.equal(page.text().match(/This is not an address range/g)?.length, 1);
  assert.match(page.text(), /The plan is missing/);
  assert.match(page.text(), /4bf92f3577b34da6a3ce929d0e0e4736/);
  assert.equal((page.get('textbox', 'Name') as HTMLInputElement).value, 'shop');
  assert.equal(closed, 0);
  await page.click('button', 'Save');
  assert.equal(closed, 1);
  assert.deepEqual(sent, [{ name: 'shop' }, { name: 'shop' }], 'what was not changed is not saved');
  await page.end();
});

test('a secret is closed by saying that it is stored, not by Escape', async () => {
  let stored = 0;
  const page = await render(
    h(SecretDialog, {
      title: 'Your key',
      secrets: [{ label: 'Key', value: 'chq.1.secret' }],
      onStored: () => (stored += 1),
    }),
  );
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }));
  assert.equal(stored, 0);
  assert.match(page.text(), /chq\.1\.secret/);
  await page.click('button', 'I have stored it');
  assert.equal(stored, 1);
  await page.end();
});
