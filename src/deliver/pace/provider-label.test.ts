import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerLabel, providerLabels } from './provider-label.ts';

test('hosts of known providers have their name, whatever the host', () => {
  const hosts = {
    'aspmx.l.google.com': 'google',
    'gmail-smtp-in.l.google.com.': 'google',
    'shop-cl.mail.protection.outlook.com': 'microsoft',
    'mta7.am0.yahoodns.net': 'yahoo',
    'mx01.mail.icloud.com': 'apple',
    'mx1.messagingengine.com': 'fastmail',
    sandbox: 'sandbox',
  };
  for (const [host, label] of Object.entries(hosts)) assert.equal(providerLabel(host), label, host);
});

test('the number of labels does not grow with the number of hosts', () => {
  const labels = new Set(
    Array.from({ length: 1_000 }, (_, index) => providerLabel(`mx.company-${index}.example`)),
  );
  assert.deepEqual([...labels], ['other']);
  assert.equal(providerLabel('192.0.2.7'), 'other');
  assert.equal(providerLabel(undefined), 'none');
  assert.ok(providerLabels.length < 25, `${providerLabels.length} labels`);
});
