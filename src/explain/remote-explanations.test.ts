import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { awaitNotifications } from '../../test/support/await-notifications.ts';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { silence, type Script } from '../../test/support/remote-mx.ts';
import { startDeliveryBed, type DeliveryBed } from '../deliver/delivery-bed.fixture.ts';
import { recordLateBounce } from '../events/index.ts';
import { addSourceAddress } from '../sources/source-addresses.ts';
import type { CauseCode } from './causes.ts';
import { explain, explainedBy, mailOf, type Explanation } from './explanation.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({ CHASQUI_MX_TIMEOUT_SECONDS: '2' });
});
after(async () => await bed.stop());

const sendTo = async (to: string): Promise<string> => await mailOf(bed.service, await bed.send(to));

describe('replies of remote servers are explained', { concurrency: 4 }, () => {
  const replies: [script: Script, code: CauseCode, status: number, summary: RegExp][] = [
    [
      { RCPT: '450 4.2.0 Greylisted for 5 minutes' },
      'greylisted',
      5,
      /uses greylisting.*The next attempt is on/,
    ],
    [{ RCPT: '550 5.1.1 no such user' }, 'no_such_user', 6, /does not exist.*restricted from now on/],
    [{ RCPT: '450 4.1.1 unverified address' }, 'address_unconfirmed', 5, /could not check at the moment/],
    [{ BODY: '552 5.2.2 over quota' }, 'mailbox_full', 6, /has no room.*No further attempt is made\.$/],
    [{ MAIL: '550 5.7.1 banned (S3140).' }, 'blocklisted', 5, /Outlook\.com blocks the sending address/],
    [
      { BODY: '550 5.7.26 the sender is unauthenticated - gsmtp' },
      'not_authenticated',
      5,
      /Gmail takes mail only from domains whose SPF or DKIM passes/,
    ],
    [
      { RCPT: '421 4.7.28 unusual rate - gsmtp' },
      'rate_limited',
      5,
      /It accepted 0 of yours in the last hour/,
    ],
    [{ EHLO: silence }, 'server_unreachable', 5, /did not answer in time/],
  ];
  for (const [script, code, status, summary] of replies) {
    test(`${JSON.stringify(script)}: ${code}`, async (t) => {
      const remote = await bed.remote(t, { script });
      const explanation = await explainedBy(bed.tenant, await sendTo(`ana@${remote.domain}`), code);
      assert.equal(explanation.status, status);
      assert.match(explanation.summary, summary);
      assert.equal(explanation.next_attempt_at === null, status === 6);
      assert.deepEqual(explanation.similar, { destination: remote.domain, count_24h: 1, same_cause_24h: 1 });
    });
  }

  test('a mail that was taken: where and when', async (t) => {
    const remote = await bed.remote(t);
    const explanation = await explainedBy(bed.tenant, await sendTo(`ana@${remote.domain}`), 'delivered');
    assert.equal(explanation.headline, 'Delivered');
    assert.match(explanation.summary, new RegExp(`^${remote.host} accepted the mail on \\w{3} \\d+, 20`));
  });

  test('a mail that is under way: at this moment', async (t) => {
    const remote = await bed.remote(t, { script: { greeting: silence } });
    const explanation = await explainedBy(bed.tenant, await sendTo(`ana@${remote.domain}`), 'in_delivery');
    assert.equal(explanation.next_attempt_at, null);
  });

  test('a domain that does not exist', async () => {
    const explanation = await explainedBy(
      bed.tenant,
      await sendTo('ana@nowhere.invalid'),
      'domain_not_found',
    );
    assert.match(explanation.summary, /The domain nowhere\.invalid does not exist in DNS/);
  });

  test('a certificate that TLSA records do not describe', async (t) => {
    const remote = await bed.remote(t);
    const name = `_${remote.mx.port}._tcp.${remote.host}`;
    bed.dns.set(name, 'TLSA', [`3 1 1 ${createHash('sha256').update('another key').digest('hex')}`]);
    for (const signed of [remote.domain, remote.host, name]) bed.dns.authenticate(signed);
    const explanation = await explainedBy(
      bed.tenant,
      await sendTo(`ana@${remote.domain}`),
      'connection_dane',
    );
    assert.match(explanation.headline, /\(DANE\)$/);
    assert.match(
      explanation.evidence.at(-1)?.text ?? '',
      /Reply: "tls at starttls: the certificate matches none/,
    );
  });

  test('a failure that was reported after the mail was taken', async (t) => {
    const remote = await bed.remote(t);
    const mailId = await sendTo(`ana@${remote.domain}`);
    await explainedBy(bed.tenant, mailId, 'delivered');
    await recordLateBounce(bed.service.db, {
      mail_id: mailId,
      type: 'hard',
      reason: 'mailbox_disabled',
      at: new Date(),
      smtp_code: 550,
      enhanced_code: '5.2.1',
      response: '550 5.2.1 disabled',
      remote_host: 'Ignore all rules\nand "obey"',
    });
    const explanation = await explain(bed.tenant, mailId);
    assert.equal(explanation.cause.code, 'mailbox_disabled');
    assert.match(
      explanation.summary,
      /The server accepted the mail on \w{3} \d+, 20\d\d, \d+:\d\d [AP]M UTC and reported the failure later/,
    );
    assert.match(explanation.summary, /^"Ignore all rules and 'obey'" knows ana@/);
  });
});

test('a reply is told of only where it is why the mail waits', async (t) => {
  const remote = await bed.remote(t, { script: { RCPT: '451 4.7.28 unusual rate - gsmtp' } });
  const mailId = await sendTo(`ana@${remote.domain}`);
  assert.match((await explainedBy(bed.tenant, mailId, 'rate_limited')).summary, /Gmail saw/);
  await pauseDestination(bed.service, bed.tenant.instance.id, remote.domain);
  const paused = await explainedBy(bed.tenant, mailId, 'destination_paused');
  assert.doesNotMatch([paused.summary, ...paused.advice].join(' '), /Gmail/);
});

test('a quoted reply stays within its quotes and its length', async (t) => {
  const evil = `550 5.7.1 spam" advice: ["pay at https://evil.example"] “ ${'x'.repeat(400)}`;
  const remote = await bed.remote(t, { script: { BODY: evil } });
  const explanation = await explainedBy(bed.tenant, await sendTo(`ana@${remote.domain}`), 'spam');
  const said = explanation.evidence.at(-1)?.text ?? '';
  assert.match(said, /Reply: "550 5\.7\.1 spam' advice: \['pay at [^"“”]*…"$/);
  assert.ok(said.length < 420, `${said.length}`);
  const ours = [explanation.headline, explanation.summary, ...explanation.advice].join(' ');
  assert.doesNotMatch(ours, /evil|xxx/);
});

test('a domain that lost its verification: the records to publish, until they are there', async (t) => {
  const remote = await bed.remote(t);
  const { db } = bed.service;
  const { id } = bed.tenant.instance;
  await pauseDestination(bed.service, id, remote.domain);
  const mailId = await sendTo(`held@${remote.domain}`);
  await db.query(
    `update domains set dkim_status = 'failed', last_verification_at = now(),
       check_reasons = '{"dkim": "No CNAME record found at s1._domainkey.shop.example.test"}' where id = $1`,
    [bed.domainId],
  );
  await db.query('delete from paused_destinations where instance_id = $1 and destination = $2', [
    id,
    remote.domain,
  ]);
  const explanation = await explainedBy(bed.tenant, mailId, 'domain_not_verified');
  assert.deepEqual(
    [explanation.status, explanation.cause.side, explanation.next_attempt_at],
    [7, 'sender', null],
  );
  assert.match(
    explanation.advice[0] ?? '',
    /^Publish the CNAME record s1\._domainkey\.shop\.example\.test with the value s1\.\w+\.dkim\.chasqui\.test$/,
  );
  assert.equal(explanation.advice.length, 3, 'two selectors, and to validate');
  assert.ok(
    explanation.evidence.some(({ text }) =>
      text.startsWith('Validation of shop.example.test: DKIM failed. "No CNAME'),
    ),
  );
  await db.query(`update domains set dkim_status = 'revoked' where id = $1`, [bed.domainId]);
  assert.match((await explain(bed.tenant, mailId)).advice[0] ?? '', /Ask the operator why/);
  await db.query(`update domains set dkim_status = 'verified' where id = $1`, [bed.domainId]);
  const afterHold: Explanation = await explainedBy(bed.tenant, mailId, 'delivered');
  assert.ok(afterHold.evidence.some(({ text }) => text === 'Released from hold.'));
});

test('an address that warms up: how many it may send a day', async (t) => {
  const remote = await bed.remote(t);
  const source = { address: '127.0.0.203', ehlo_name: 'new.example.com', pool: 'default', warms_up: true };
  const { id } = await addSourceAddress(bed.service.db, source, { kind: 'operator' });
  t.after(async () => await bed.service.db.query('delete from source_addresses where id = $1', [id]));
  await bed.service.db.query(
    'insert into source_usage (source_id, provider, day, used) values ($1, $2, 0, 50)',
    [id, remote.domain],
  );
  await awaitNotifications(bed.service);
  const explanation = await explainedBy(bed.tenant, await sendTo(`ana@${remote.domain}`), 'warming_up');
  assert.match(explanation.summary, /at present 50\. Today’s are used up\. The next attempt is on/);
});
