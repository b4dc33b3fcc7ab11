import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import { startDeliveryBed, type DeliveryBed, type Remote } from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({ CHASQUI_MX_TIMEOUT_SECONDS: '2' });
});
after(async () => await bed.stop());

const digestOf = (pem: string): string => {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('hex');
};
const otherKey = '00'.repeat(32);

/** Publishes the records, signed, with the way to the host signed as well. */
function publish({ domain, host, mx }: Remote, ...records: string[]): void {
  const name = `_${mx.port}._tcp.${host}`;
  bed.dns.set(name, 'TLSA', records);
  for (const signed of [domain, host, name]) bed.dns.authenticate(signed);
}

async function sendTo({ domain }: Remote, status: number) {
  await bed.send(`a@${domain}`);
  const [event] = await bed.becomes(`a@${domain}`, status);
  return event;
}

describe('DANE', { concurrency: 6 }, () => {
  test('a certificate that its TLSA record describes: sent, and the log says so', async (t) => {
    const remote = await bed.remote(t);
    publish(remote, `3 1 1 ${digestOf(remote.mx.certificate.cert)}`);
    const event = await sendTo(remote, 3);
    assert.match(String(event?.data['tls']), /^TLSv1\.3 \S+ dane$/);
  });

  test('an authority in the TLSA record: its chain is followed', async (t) => {
    const place = bed.place();
    const valid_from = new Date(Date.now() - 3_600_000);
    const authority = selfSignedCertificate({ names: ['ca.test'], valid_from, is_authority: true });
    const own = selfSignedCertificate({ names: [place.host], valid_from, issuer: authority });
    const certificate = { key: own.key, cert: `${own.cert}${authority.cert}` };
    const remote = await bed.remote(t, { certificate });
    // The certificate is for the first place: two domains share the server by its name.
    bed.dns.set(place.host, 'A', [remote.address]);
    publish({ ...remote, ...place }, `2 1 1 ${digestOf(authority.cert)}`);
    const event = await sendTo({ ...remote, ...place }, 3);
    assert.match(String(event?.data['tls']), / dane$/);
    bed.dns.set(remote.host, 'A', [remote.address]);
    publish(remote, `2 1 1 ${digestOf(authority.cert)}`);
    const refused = await sendTo(remote, 5);
    assert.match(String(refused?.data['detail']), /is for another name$/);
  });

  test('another certificate: deferred with the reason, and not sent unencrypted', async (t) => {
    const remote = await bed.remote(t);
    publish(remote, `3 1 1 ${otherKey}`);
    const event = await sendTo(remote, 5);
    assert.equal(event?.reason, 'connection_dane');
    assert.equal(event?.data['detail'], 'tls at starttls: the certificate matches none of the TLSA records');
    assert.equal(await bed.restriction(`a@${remote.domain}`), undefined);
    assert.equal(remote.mx.sessions.length, 1);
    assert.ok(
      remote.mx.sessions.every(({ dialogue }) => !dialogue.some(({ line }) => line.startsWith('MAIL'))),
    );
  });

  test('a server without STARTTLS that has TLSA records: deferred', async (t) => {
    const remote = await bed.remote(t, { capabilities: ['PIPELINING', 'SIZE 52428800', '8BITMIME'] });
    publish(remote, `3 1 1 ${otherKey}`);
    const event = await sendTo(remote, 5);
    assert.equal(event?.reason, 'connection_dane');
    assert.match(String(event?.data['detail']), /does not offer STARTTLS$/);
  });

  test('records of an unknown form: any certificate, but TLS', async (t) => {
    const remote = await bed.remote(t);
    publish(remote, `1 1 1 ${otherKey}`);
    assert.match(String((await sendTo(remote, 3))?.data['tls']), /^TLSv1\.3 \S+$/);
    const plain = await bed.remote(t, { capabilities: ['PIPELINING', 'SIZE 52428800', '8BITMIME'] });
    publish(plain, `1 1 1 ${otherKey}`);
    assert.equal((await sendTo(plain, 5))?.reason, 'connection_tls');
  });

  test('records without valid DNSSEC are ignored', async (t) => {
    for (const unsigned of ['record', 'host', 'MX'] as const) {
      const remote = await bed.remote(t);
      publish(remote, `3 1 1 ${otherKey}`);
      const names = {
        record: `_${remote.mx.port}._tcp.${remote.host}`,
        host: remote.host,
        MX: remote.domain,
      };
      bed.dns.authenticate(names[unsigned], false);
      assert.match(String((await sendTo(remote, 3))?.data['tls']), /^TLSv1\.3 \S+$/, unsigned);
    }
  });

  test('records that cannot be looked up: deferred, or the next host that is sound', async (t) => {
    const [remote, second] = [await bed.remote(t), await bed.remote(t)];
    publish(remote, `3 1 1 ${otherKey}`);
    bed.dns.fail(`_${remote.mx.port}._tcp.${remote.host}`, 'TLSA', 'SERVFAIL');
    assert.equal((await sendTo(remote, 5))?.reason, 'dns_servfail');
    bed.dns.set(second.domain, 'MX', [`10 ${remote.host}`, `20 ${second.host}`]);
    bed.dns.authenticate(second.domain);
    assert.equal((await sendTo(second, 3))?.data['remote_host'], second.host);
  });
});

test('a resolver whose word is not trusted: TLSA records count for nothing', async (t) => {
  const own = await startDeliveryBed({ CHASQUI_DNSSEC: 'never' });
  t.after(async () => await own.stop());
  const remote = await own.remote(t);
  const name = `_${remote.mx.port}._tcp.${remote.host}`;
  own.dns.set(name, 'TLSA', [`3 1 1 ${otherKey}`]);
  for (const signed of [remote.domain, remote.host, name]) own.dns.authenticate(signed);
  await own.send(`a@${remote.domain}`);
  await own.becomes(`a@${remote.domain}`, 3);
});
