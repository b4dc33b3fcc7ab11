import assert from 'node:assert/strict';
import { promises as dns } from 'node:dns';
import { after, before, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { RootSecret } from '../base/secrets.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createDomain, deleteDomain } from './change-domain.ts';
import { loadSigningKey } from './dkim-keys.ts';
import { listDkimPublicKeys } from './dns-role.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const actor = { kind: 'operator' } as const;
let service: TestService;
let tenant: Tenant;
let resolver: dns.Resolver;
before(async () => {
  service = await startTestService({
    env: { CHASQUI_PLATFORM_DOMAIN: 'mail.platform.test', CHASQUI_PUBLIC_ADDRESSES: '192.0.2.7,2001:db8::7' },
  });
  tenant = await service.tenant();
  resolver = new dns.Resolver();
  resolver.setServers([service.service.addresses.dns ?? '']);
});
after(async () => await service.stop());

test('an independent resolver finds the platform through role dns', async () => {
  assert.deepEqual(await resolver.resolve4('mx.mail.platform.test'), ['192.0.2.7']);
  assert.deepEqual(await resolver.resolve6('mx.mail.platform.test'), ['2001:db8::7']);
  assert.deepEqual(await resolver.resolveTxt('spf.mail.platform.test'), [
    ['v=spf1 ip4:192.0.2.7 ip6:2001:db8::7 -all'],
  ]);
  const [mx] = await resolver.resolveMx('mail.platform.test');
  assert.deepEqual([mx?.exchange, mx?.priority], ['mx.mail.platform.test', 10]);
  assert.equal((await resolver.resolveSoa('mail.platform.test')).hostmaster, 'hostmaster.mail.platform.test');
  await assert.rejects(resolver.resolve4('nothing.mail.platform.test'), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolveTxt('mx.mail.platform.test'), { code: 'ENODATA' });
  await assert.rejects(resolver.resolve4('example.com'), { code: 'EREFUSED' });
});

test('a signature by a domain’s key verifies through the CNAME and the key that role dns serves', async () => {
  const options = { domain: 'shop.example.test', platform_domain: 'mail.platform.test', secret, actor };
  const id = await createDomain(service.db, tenant.instance.id, options);
  const { json } = await tenant.api.get(`/v1/domains/${id}`);
  const cnames = new Map<string, string>(
    json.dns_records.dkim.map(({ host, value }: { host: string; value: string }) => [host, value]),
  );
  const signing = await loadSigningKey(service.db, id, secret);
  const message = 'From: a@shop.example.test\r\nTo: b@example.com\r\nSubject: Hi\r\n\r\nHello\r\n';
  const signer = {
    signingDomain: 'shop.example.test',
    selector: signing?.selector ?? '',
    privateKey: signing?.key.export({ format: 'pem', type: 'pkcs8' }) as string,
  };
  const { signatures } = await dkimSign(message, { ...signer, signatureData: [signer] });
  const verdict = await dkimVerify(signatures + message, {
    resolver: async (name: string) => await resolver.resolveTxt(cnames.get(name) ?? name),
  });
  assert.equal(verdict.results[0]?.status?.result, 'pass');
});

test('the keys of a deleted domain stay for ten days, in which its mail may be under way, then end at once', async () => {
  const options = { domain: 'gone.example.test', platform_domain: 'mail.platform.test', secret, actor };
  const id = await createDomain(service.db, tenant.instance.id, options);
  const { json } = await tenant.api.get(`/v1/domains/${id}`);
  const name = json.dns_records.dkim[0].value;
  const [, token] = name.split('.');
  const served = async (): Promise<string> =>
    await resolver.resolveTxt(name).then(
      ([strings]) => strings?.join('') ?? '',
      ({ code }: { code: string }) => code,
    );
  const isInFile = async (): Promise<boolean> =>
    (await listDkimPublicKeys(service.db, 'mail.platform.test')).some((key) => key.token === token);
  assert.match(await served(), /^v=DKIM1; k=rsa; p=MII/);
  await service.db.transaction(async (tx) => await deleteDomain(tx, tenant.instance.id, { id, actor }));
  const deletedAgo = async (age: string): Promise<void> =>
    void (await service.db.query('update domains set deleted_at = now() - $2::interval where id = $1', [
      id,
      age,
    ]));
  await deletedAgo('9 days 23 hours');
  assert.match(await served(), /^v=DKIM1/);
  assert.ok(await isInFile());
  await deletedAgo('10 days');
  await waitFor(async () => (await served()) === 'ENOTFOUND', { what: 'the end of the key' });
  assert.ok(!(await isInFile()));
});
