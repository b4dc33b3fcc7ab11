import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drop } from '../../test/support/remote-mx.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startDeliveryBed, type DeliveryBed, type LoggedEvent, type Remote } from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed();
});
after(async () => await bed.stop());

/** What every line of a log must tell of where the attempt was made. */
function madeAt({ host, address }: Pick<Remote, 'host' | 'address'>, event: LoggedEvent | undefined): void {
  assert.deepEqual([event?.data['remote_host'], event?.data['remote_ip']], [host, address]);
  assert.ok(Number(event?.data['duration_ms']) >= 0);
}

describe('the way to a remote server', { concurrency: 6 }, () => {
  const routes: [name: string, mx: string[], status: 5 | 6, reason: string][] = [
    ['null MX', ['0 .'], 6, 'rejects_mail'],
    ['an MX without an address', ['10 nowhere.NAME'], 5, 'mx_without_address'],
  ];
  for (const [name, mx, status, reason] of routes) {
    test(`${name}: ${status === 6 ? 'bounced hard' : 'deferred'}, ${reason}`, async () => {
      const { domain } = bed.place();
      bed.dns.set(
        domain,
        'MX',
        mx.map((line) => line.replace('NAME', domain)),
      );
      await bed.send(`a@${domain}`);
      const [event] = await bed.becomes(`a@${domain}`, status);
      assert.deepEqual([event?.reason, event?.data['type']], [reason, status === 6 ? 'hard' : undefined]);
      assert.equal(event?.data['detail'], `no route to ${domain}`);
      assert.equal((await bed.restriction(`a@${domain}`))?.reason, status === 6 ? 'hard_bounce' : undefined);
    });
  }

  test('no MX: the address of the domain itself takes the mail', async (t) => {
    const remote = await bed.remote(t);
    bed.dns.remove(remote.domain);
    bed.dns.set(remote.domain, 'A', [remote.address]);
    await bed.send(`a@${remote.domain}`);
    const [event] = await bed.becomes(`a@${remote.domain}`, 3);
    madeAt({ host: remote.domain, address: remote.address }, event);
  });

  test('a domain without MX and address, or that does not exist: bounced hard', async () => {
    const { domain } = bed.place();
    bed.dns.remove(domain, 'MX');
    bed.dns.set(domain, 'TXT', ['v=spf1 -all']);
    const cases: [to: string, reason: string][] = [
      [`a@${domain}`, 'no_mail_host'],
      ['a@not-there.test', 'domain_not_found'],
    ];
    for (const [to, reason] of cases) {
      await bed.send(to);
      const [event] = await bed.becomes(to, 6);
      assert.deepEqual([event?.reason, event?.data['type']], [reason, 'hard']);
      assert.equal(event?.data['enhanced_code'], '5.1.2');
      assert.deepEqual(await bed.restriction(to), { reason: 'hard_bounce', detail: reason });
    }
  });

  test('SERVFAIL: deferred, and no recipient restricted', async () => {
    const remote = bed.place();
    bed.dns.fail(remote.domain, 'MX', 'SERVFAIL');
    const to = `a@${remote.domain}`;
    await bed.send(to);
    const [event] = await bed.becomes(to, 5);
    assert.deepEqual([event?.reason, await bed.restriction(to)], ['dns_servfail', undefined]);
  });

  for (const [name, type, failure, reason] of [
    ['name servers that keep silent', 'MX', 'TIMEOUT', 'dns_timeout'],
    ['addresses that cannot be looked up', 'A', 'SERVFAIL', 'dns_servfail'],
  ] as const) {
    test(`${name}: deferred, ${reason}`, async () => {
      const remote = bed.place();
      bed.dns.fail(type === 'MX' ? remote.domain : remote.host, type, failure);
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5, 15_000);
      assert.deepEqual([event?.reason, await bed.restriction(to)], [reason, undefined]);
    });
  }

  test('an MX that is an alias, and a server without an IPv6 route: reached over IPv4', async (t) => {
    const remote = await bed.remote(t);
    bed.dns.set(remote.domain, 'MX', [`10 alias.${remote.domain}`]);
    bed.dns.set(`alias.${remote.domain}`, 'CNAME', [remote.host]);
    bed.dns.set(remote.host, 'AAAA', ['2001:db8::25']);
    await bed.send(`a@${remote.domain}`);
    const [event, ...rest] = await bed.becomes(`a@${remote.domain}`, 3, 20_000);
    madeAt({ host: `alias.${remote.domain}`, address: remote.address }, event);
    assert.deepEqual(rest, []);
  });

  test('servers of equal preference share the mail', async (t) => {
    const [one, two] = [await bed.remote(t), await bed.remote(t)];
    bed.dns.set(one.domain, 'MX', [`10 ${one.host}`, `10 ${two.host}`]);
    const to = Array.from({ length: 30 }, (_, index) => ({ email: `n${index}@${one.domain}` }));
    await bed.send('', { to });
    await bed.becomes(`n29@${one.domain}`, 3);
    await waitFor(() => one.mx.messages.length + two.mx.messages.length === 30, { what: 'all mails' });
    assert.ok(one.mx.messages.length > 0 && two.mx.messages.length > 0);
  });

  test('all servers down: deferred with the last one tried', async () => {
    const [one, two] = [bed.place(), bed.place()];
    bed.dns.set(one.domain, 'MX', [`10 ${one.host}`, `20 ${two.host}`]);
    const to = `a@${one.domain}`;
    await bed.send(to);
    const [event, ...rest] = await bed.becomes(to, 5);
    assert.deepEqual(rest, []);
    madeAt(two, event);
    assert.equal(event?.reason, 'connection_refused');
  });

  for (const [name, script] of [
    ['refuses to talk', { greeting: '554 5.3.2 no service' }],
    ['hangs up', { MAIL: drop }],
  ] as const) {
    test(`the first server ${name}: the second takes the mail in the same attempt`, async (t) => {
      const [bad, good] = [await bed.remote(t, { script }), await bed.remote(t)];
      bed.dns.set(good.domain, 'MX', [`10 ${bad.host}`, `20 ${good.host}`]);
      await bed.send(`a@${good.domain}`);
      const [event, ...rest] = await bed.becomes(`a@${good.domain}`, 3);
      madeAt(good, event);
      assert.deepEqual(rest, []);
      assert.equal(bad.mx.sessions.length, 1);
    });
  }

  test('the first server is down: the second takes the mail in the same attempt', async (t) => {
    const [down, good] = [bed.place(), await bed.remote(t)];
    bed.dns.set(good.domain, 'MX', [`10 ${down.host}`, `20 ${good.host}`]);
    await bed.send(`a@${good.domain}`);
    const [event] = await bed.becomes(`a@${good.domain}`, 3);
    madeAt(good, event);
    assert.equal(event?.data['attempt'], 1);
  });

  test('a server that hung up after the whole message may have it: no other one gets it at once', async (t) => {
    const [first, second] = [await bed.remote(t, { script: { BODY: drop } }), await bed.remote(t)];
    bed.dns.set(first.domain, 'MX', [`10 ${first.host}`, `20 ${second.host}`]);
    await bed.send(`a@${first.domain}`);
    const [event] = await bed.becomes(`a@${first.domain}`, 5);
    madeAt(first, event);
    assert.equal(second.mx.sessions.length, 0);
  });

  test('a recipient outside ASCII is bounced where the server does not offer SMTPUTF8', async (t) => {
    const [old, modern] = [
      await bed.remote(t, { capabilities: ['PIPELINING', '8BITMIME'] }),
      await bed.remote(t),
    ];
    await bed.send(`ñandú@${old.domain}`);
    const [event] = await bed.becomes(`ñandú@${old.domain}`, 6);
    madeAt(old, event);
    assert.deepEqual([event?.reason, event?.data['type']], ['smtputf8_unsupported', 'soft']);
    assert.equal(await bed.restriction(`ñandú@${old.domain}`), undefined);
    await bed.send(`ñandú@${modern.domain}`);
    await bed.becomes(`ñandú@${modern.domain}`, 3);
    assert.ok('SMTPUTF8' in (modern.mx.messages[0]?.mail_params ?? {}));
  });
});
