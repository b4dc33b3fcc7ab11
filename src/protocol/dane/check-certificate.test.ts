import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { selfSignedCertificate, type CertificateRequest } from '../tls/self-signed-certificate.ts';
import { daneProblem, isUsable, type TlsaRecord } from './check-certificate.ts';

const valid_from = new Date('2026-01-01T00:00:00Z');
const now = new Date('2026-02-01T00:00:00Z');
const issue = (name: string, more: Partial<CertificateRequest> = {}) =>
  selfSignedCertificate({ names: [name], valid_from, valid_days: 100, ...more });
const root = issue('Root of tests', { names: ['root.test'], is_authority: true });
const middle = issue('middle.test', { issuer: root, is_authority: true });
const leaf = issue('mx.test', { issuer: middle });
const chain = [leaf, middle, root].map(({ cert }) => new X509Certificate(cert));
const [leafCert, middleCert, rootCert] = chain as [X509Certificate, X509Certificate, X509Certificate];

const spkiOf = (certificate: X509Certificate): Buffer =>
  certificate.publicKey.export({ type: 'spki', format: 'der' });
const hash = (algorithm: string, bytes: Buffer): Buffer => createHash(algorithm).update(bytes).digest();
const record = (
  usage: number,
  selector: number,
  rest: [matching_type: number, data: Buffer],
): TlsaRecord => ({
  usage,
  selector,
  matching_type: rest[0],
  data: rest[1],
});
const problem = (records: TlsaRecord[], sent = chain, names = ['mx.test']): string | undefined =>
  daneProblem(sent, { records, names, now });

test('DANE-EE: the certificate or its key, whole or by digest, whatever its names and dates', () => {
  const old = new X509Certificate(issue('wrong.test', { valid_days: 1 }).cert);
  for (const certificate of [leafCert, old]) {
    for (const [selector, bytes] of [certificate.raw, spkiOf(certificate)].entries()) {
      const forms: [number, Buffer][] = [
        [0, bytes],
        [1, hash('sha256', bytes)],
        [2, hash('sha512', bytes)],
      ];
      for (const form of forms) assert.equal(problem([record(3, selector, form)], [certificate]), undefined);
    }
  }
  const noMatch = 'the certificate matches none of the TLSA records';
  assert.equal(problem([record(3, 1, [1, hash('sha256', leafCert.raw)])]), noMatch);
  assert.equal(problem([record(3, 1, [1, hash('sha256', spkiOf(middleCert))])]), noMatch);
  assert.equal(problem([]), noMatch);
  assert.equal(problem([record(3, 0, [0, leafCert.raw])], []), 'the server showed no certificate');
});

test('one of several records is enough, and those of unknown form count for nothing', () => {
  const good = record(3, 1, [1, hash('sha256', spkiOf(leafCert))]);
  const rolled = record(3, 1, [1, hash('sha256', spkiOf(rootCert))]);
  assert.equal(problem([rolled, good]), undefined);
  const unknown = [
    { ...good, usage: 1 },
    { ...good, selector: 2 },
    { ...good, matching_type: 9 },
  ];
  assert.ok(problem([...unknown, { ...good, usage: 0 }]));
  assert.deepEqual([good, ...unknown, { ...good, data: Buffer.alloc(0) }].map(isUsable), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('DANE-TA: an anchor in the chain, links that hold, a name of the server', () => {
  const anchors = [rootCert, middleCert].map((each) => record(2, 1, [1, hash('sha256', spkiOf(each))]));
  for (const anchor of anchors) assert.equal(problem([anchor]), undefined);
  const anchor = anchors[0] as TlsaRecord;
  assert.match(problem([anchor], chain, ['other.test']) ?? '', /for another name/);
  assert.equal(problem([anchor], chain, ['other.test', 'mx.test']), undefined);
  assert.match(problem([anchor], [leafCert, rootCert]) ?? '', /none of the TLSA/, 'a link is missing');
  const impostor = new X509Certificate(
    issue('mx.test', { issuer: issue('middle.test', { is_authority: true }) }).cert,
  );
  assert.match(
    problem([anchor], [impostor, middleCert, rootCert]) ?? '',
    /none of the TLSA/,
    'a forged link',
  );
  const expired = new X509Certificate(issue('mx.test', { issuer: middle, valid_days: 10 }).cert);
  assert.match(problem([anchor], [expired, middleCert, rootCert]) ?? '', /none of the TLSA/, 'out of date');
  const noAuthority = issue('plain.test', { issuer: root });
  const below = new X509Certificate(issue('mx.test', { issuer: noAuthority }).cert);
  const sent = [below, new X509Certificate(noAuthority.cert), rootCert];
  assert.match(problem([anchor], sent) ?? '', /none of the TLSA/, 'signed by who may not');
});

test('DANE-TA: an anchor that stands whole in the record need not be sent', () => {
  const sent = [leafCert, middleCert];
  assert.equal(problem([record(2, 0, [0, rootCert.raw])], sent), undefined);
  assert.equal(problem([record(2, 1, [0, spkiOf(rootCert)])], sent), undefined);
  const other = new X509Certificate(issue('root.test', { is_authority: true }).cert);
  assert.match(problem([record(2, 1, [0, spkiOf(other)])], sent) ?? '', /none of the TLSA/);
});

test('DANE-TA: a record whose anchor cannot be read does not stand in the way of one that holds', () => {
  const good = record(2, 1, [1, hash('sha256', spkiOf(rootCert))]);
  const whole = record(2, 0, [0, rootCert.raw]);
  for (const selector of [0, 1]) {
    const broken = record(2, selector, [0, Buffer.from('no anchor')]);
    assert.equal(problem([broken, good]), undefined);
    assert.equal(problem([broken, whole], [leafCert, middleCert]), undefined);
    assert.match(problem([broken]) ?? '', /none of the TLSA/);
  }
});
