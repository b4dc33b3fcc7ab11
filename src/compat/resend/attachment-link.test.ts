import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RootSecret } from '../../base/secrets.ts';
import { AttachmentLinks } from './attachment-link.ts';

const links = new AttachmentLinks(new RootSecret('root'));
const now = new Date('2026-12-01T12:00:00.000Z');
const wanted = {
  instance_id: 7,
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  position: 2,
  expires_at: new Date('2026-12-01T13:00:00.000Z'),
};

test('a link is read until it is over', () => {
  const link = links.make(wanted);
  assert.deepEqual(links.read(link, now), wanted);
  assert.equal(links.read(link, wanted.expires_at), undefined);
});

test('a link that was changed, or signed by another secret, is rejected', () => {
  const link = links.make(wanted);
  const other = new AttachmentLinks(new RootSecret('other')).make(wanted);
  for (const changed of [
    other,
    '',
    link.slice(0, -1),
    link.replace(/^7-/, '8-'),
    link.replace('-2-', '-3-'),
    link.replace(/-(\d{10})-/, (_, seconds: string) => `-${Number(seconds) + 60}-`),
  ]) {
    assert.notEqual(changed, link);
    assert.equal(links.read(changed, now), undefined, changed);
  }
});
