import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { createSenderRewriter, type SenderRewriter } from './rewrite-sender.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const day = 86_400_000;
const start = Date.UTC(2025, 10, 3);

function rewriterAt(domain: string, time = start): SenderRewriter {
  return createSenderRewriter({ domain, key, now: () => new Date(time) });
}

test('a rewritten sender leads back, in either case', () => {
  const { forward, reverse } = rewriterAt('fwd.example');
  const address = forward('Ana.Soto@shop.example') ?? '';
  assert.match(address, /^SRS0=[a-z2-7]{8}=[a-z2-7]{2}=shop\.example=Ana\.Soto@fwd\.example$/);
  assert.equal(reverse(address), 'Ana.Soto@shop.example');
  assert.equal(reverse(address.toUpperCase())?.toLowerCase(), 'ana.soto@shop.example');
});

test('a sender of the forwarder stays, and so does a local part with signs in it', () => {
  const { forward, reverse } = rewriterAt('fwd.example');
  assert.equal(forward('ana@fwd.example'), 'ana@fwd.example');
  for (const sender of ['a=b@shop.example', 'a+tag@shop.example', "o'neil@shop.example", 'a-b=c=d@x.example'])
    assert.equal(reverse(forward(sender) ?? ''), sender);
});

test('a chain of forwarders stays two hops long and leads back hop by hop', () => {
  const [first, second, third] = [
    rewriterAt('one.example'),
    rewriterAt('two.example'),
    rewriterAt('three.example'),
  ];
  const once = first.forward('a@s.example') ?? '';
  const twice = second.forward(once) ?? '';
  assert.match(twice, /^SRS1=[a-z2-7]{8}=one\.example==/);
  const thrice = third.forward(twice) ?? '';
  assert.match(thrice, /^SRS1=[a-z2-7]{8}=one\.example==/);
  assert.ok(thrice.length - twice.length <= 2);
  assert.equal(third.reverse(thrice), once);
  assert.equal(second.reverse(twice), once);
  assert.equal(first.reverse(once), 'a@s.example');
});

test('a changed, foreign or old address leads nowhere', () => {
  const { forward, reverse } = rewriterAt('fwd.example');
  const address = forward('ana@shop.example') ?? '';
  const local = address.slice(0, address.lastIndexOf('@'));
  for (let at = 5; at < local.length; at += 1) {
    const changed = local[at] === 'q' ? 'z' : 'q';
    assert.equal(
      reverse(`${local.slice(0, at)}${changed}${local.slice(at + 1)}@fwd.example`),
      undefined,
      String(at),
    );
  }
  assert.equal(reverse(`${local}@other.example`), undefined);
  assert.equal(rewriterAt('fwd.example', start + 21 * day).reverse(address), 'ana@shop.example');
  assert.equal(rewriterAt('fwd.example', start + 22 * day).reverse(address), undefined);
  assert.equal(rewriterAt('fwd.example', start - day).reverse(address), undefined);
  const other = createSenderRewriter({
    domain: 'fwd.example',
    key: createSecretKey(Buffer.alloc(32, 8)),
    now: () => new Date(start),
  });
  assert.equal(other.reverse(address), undefined);
});

test('days count on when their number begins again', () => {
  const last = Math.ceil(start / day / 1024) * 1024 * day - day;
  const address = rewriterAt('fwd.example', last).forward('ana@shop.example') ?? '';
  assert.equal(rewriterAt('fwd.example', last + 5 * day).reverse(address), 'ana@shop.example');
});

test('what is not an address, or gets longer than a local part may be, is not rewritten', () => {
  const { forward, reverse } = rewriterAt('fwd.example');
  for (const sender of [
    '',
    '@',
    'ana',
    'a b@x.example',
    '"a b"@x.example',
    'a@x>.example',
    'a\r\nb@x.example',
    `${'a'.repeat(50)}@shop.example`,
  ])
    assert.equal(forward(sender), undefined, sender);
  for (const address of [
    '',
    'SRS0@fwd.example',
    'SRS0=aaaaaaaa=bb=x=@fwd.example',
    'SRS1=aaaaaaaa=x=@fwd.example',
  ])
    assert.equal(reverse(address), undefined, address);
});
