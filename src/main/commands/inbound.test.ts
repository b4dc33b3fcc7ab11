import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { message } from '../../protocol/dsn/message.fixture.ts';
import { aggregateXml, gzipped, record, reportMail } from '../../protocol/dmarc/dmarc-mail.fixture.ts';
import { domain, startInboundBed, type InboundBed } from '../../inbound/inbound-bed.fixture.ts';
import { publishKey, signAs } from '../../inbound/reports/signed-report.fixture.ts';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { runCommandLine } from '../command-line.ts';

let dns: DnsServer;
let bed: InboundBed;
before(async () => {
  dns = await startDnsServer({});
  publishKey(dns, 'google.com');
  bed = await startInboundBed({ CHASQUI_DNS_SERVERS: dns.address });
});
after(async () => {
  await bed.stop();
  await dns.stop();
});

async function chasqui(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: 0, stdout: '', stderr: '' };
  result.code = await runCommandLine(words, {
    env: { DATABASE_URL: bed.service.database.url },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  return result;
}

test('the operator lists and reads letters to the platform and to an instance, and no terminal obeys them', async () => {
  assert.equal((await chasqui('inbound', 'list')).stdout, 'No mail came in for people.\n');
  const letter = message('From: ana@example.org\nSubject: stop', 'red \u001b[31m text\n');
  await bed.hand('postmaster@chasqui.test', letter, 'ana@example.org');
  await bed.hand(`postmaster@${domain}`, letter, 'ana@example.org');
  const { data } = JSON.parse((await chasqui('inbound', 'list', '--json')).stdout);
  assert.deepEqual([data.length, data[0].recipient], [1, 'postmaster@chasqui.test']);
  const { slug } = bed.tenant.instance;
  assert.match(
    (await chasqui('inbound', 'list', '--instance', slug)).stdout,
    /postmaster@shop\.example\.test {2}ana@example\.org {2}stop/,
  );
  const shown = await chasqui('inbound', 'show', String(data[0].id));
  assert.match(shown.stdout, /red \u{fffd}\[31m text/u);
  const wrong = await chasqui('inbound', 'show', '--instance', slug, String(data[0].id));
  assert.equal(wrong.code, 1);
});

test('the operator reads what was reported of a domain', async () => {
  const { slug } = bed.tenant.instance;
  const words = ['domain', 'dmarc', '--instance', slug, domain.toUpperCase()];
  assert.equal((await chasqui(...words)).stdout, '0 reports, 0 messages, 0 of them passed.\n');
  const begin = Math.floor(Date.now() / 1000) - 86_400;
  const records =
    record('192.0.2.25', 40, { from: domain }) +
    record('203.0.113.9', 2, { from: domain, dkim: 'fail', spf: 'fail', disposition: 'reject' });
  await bed.hand(
    'dmarc@chasqui.test',
    await signAs('google.com', reportMail(gzipped(aggregateXml({ domain, begin, records })))),
    'a@b.example',
  );
  const { stdout } = await chasqui(...words);
  assert.match(
    stdout,
    /^1 reports, 42 messages, 40 of them passed\.\nsource .* stopped\n192\.0\.2\.25 +40 +40 +40 +40 +0\n203\.0\.113\.9 +2 +0 +0 +0 +2\n$/,
  );
  assert.equal(JSON.parse((await chasqui(...words, '--json')).stdout).domain, domain);
  assert.match((await chasqui(...words, '--from', 'soon')).stderr, /start_date/);
});
