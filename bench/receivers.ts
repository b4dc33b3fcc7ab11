import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authenticate } from 'mailauth';
import PostalMime from 'postal-mime';
import { withStore } from '../src/main/commands/with-store.ts';
import { selfSignedCertificate } from '../src/protocol/tls/self-signed-certificate.ts';
import { startDnsServer, type DnsServer } from '../test/support/dns-server.ts';
import { waitFor } from '../test/support/wait-for.ts';
import { startHaraka } from './support/haraka.ts';
import { freePort, havePostfix, startPostfix } from './support/postfix.ts';
import { addSendingDomain } from './support/sending-domain.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';

/**
 * Other people's servers take our mail: Debian's postfix and Haraka, each over STARTTLS. What they stored is read back, and
 * mailauth has to find DKIM, SPF and DMARC in order. Needs Debian's postfix, run as root; fetches Haraka from npm.
 */
const domain = 'sender.example';
const receivers = [
  { name: 'postfix', domain: 'postfix.test', host: '127.0.0.3' },
  { name: 'Haraka', domain: 'haraka.test', host: '127.0.0.4' },
];
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const message = {
  sender_email: `bench@${domain}`,
  subject: 'Año nuevo: ñandúes y más 🦤',
  html: `<h1>¡Hola!</h1><p>.</p>\n.\n<p><a href="https://www.example.com/a?b=c&amp;d">Más</a></p><img src="data:image/png;base64,${pixel}">`,
  text: 'Hola\n.\n..punto\nFrom aquí',
  attachments: [{ type: 'image/png', filename: 'píxel — “1”.png', content: pixel }],
};

async function publishKeys({ env }: ServiceUnderTest, dns: DnsServer): Promise<void> {
  const keys = await withStore(
    env,
    async (db) => await db.query<{ selector: string; public_key: string }>('select * from dkim_keys'),
  );
  for (const { selector, public_key } of keys) {
    dns.set(`${selector}._domainkey.${domain}`, 'TXT', [`v=DKIM1; k=rsa; p=${public_key}`]);
  }
  dns.set(domain, 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all']);
  dns.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=reject; adkim=s; aspf=s']);
}

async function send({ base_url, api_key, slug }: ServiceUnderTest, to: string): Promise<void> {
  const response = await fetch(`${base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'x-instance-slug': slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...message, to: [{ email: to, name: 'José "Pepe" Ñúñez, hijo' }] }),
  });
  assert.equal(response.status, 200, await response.text());
}

async function judge(raw: Buffer, dns: DnsServer): Promise<string> {
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const [, sender = ''] = /^return-path:\s*<([^>]*)>/im.exec(raw.toString('latin1')) ?? [];
  assert.match(sender, new RegExp(`^bounce-[0-9a-f]+@${domain}$`));
  const { dkim, spf, dmarc } = await authenticate(raw, {
    ip: '127.0.0.1',
    helo: 'mx.chasqui.test',
    sender,
    mta: 'mx.receiver.test',
    disableArc: true,
    disableBimi: true,
    resolver: async (name: string, type: string) =>
      type === 'TXT' ? await resolver.resolveTxt(name) : await resolver.resolve4(name),
  });
  const results = {
    dkim: dkim?.results[0]?.status.result,
    spf: spf && spf.status.result,
    dmarc: dmarc && dmarc.status.result,
  };
  assert.deepEqual(results, { dkim: 'pass', spf: 'pass', dmarc: 'pass' });
  const email = await PostalMime.parse(raw);
  assert.equal(email.subject, message.subject);
  assert.equal((email.text ?? '').replaceAll('\r\n', '\n').trim(), message.text);
  assert.equal(email.attachments.at(-1)?.filename, message.attachments[0]?.filename);
  return `DKIM ${results.dkim}, SPF ${results.spf}, DMARC ${results.dmarc}`;
}

/** How the mail went, as our own log tells it. */
async function logOf({ env }: ServiceUnderTest, recipient: string): Promise<Record<string, unknown>> {
  const found = async () =>
    await withStore(env, async (db) => {
      const [row] = await db.query<{ data: Record<string, unknown> }>(
        "select e.data from events e join mails m using (mail_id) where m.recipient = $1 and e.event = 'sent'",
        [recipient],
      );
      return row?.data;
    });
  return await waitFor(found, { what: `the log of ${recipient}`, timeout_ms: 20_000 });
}

export async function tryReceivers(): Promise<void> {
  if (!havePostfix()) throw new Error('Needs postfix (apt-get install postfix), run as root.');
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-receivers-'));
  // Postfix delivers as nobody.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const dns = await startDnsServer({});
  const parts: { stop: () => unknown }[] = [dns];
  try {
    for (const { domain: name, host } of receivers) {
      dns.set(name, 'MX', [`10 mx.${name}`]);
      dns.set(`mx.${name}`, 'A', [host]);
    }
    const certificate = selfSignedCertificate({
      names: ['mx.receiver.test'],
      valid_from: new Date(Date.now() - 3_600_000),
    });
    const atPostfix = path.join(folder, 'postfix');
    const receives = { domain: 'postfix.test', folder: atPostfix, certificate };
    parts.push(await startPostfix({ receives, listen: { host: '127.0.0.3', port } }));
    parts.push(await startHaraka({ kept_in: folder, certificate, listen: { host: '127.0.0.4', port } }));
    const service = await startServiceUnderTest('api,delivery', {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    });
    parts.push(service);
    await addSendingDomain(service, { domain });
    await publishKeys(service, dns);
    const files = { postfix: `${atPostfix}/inbox/new/*`, Haraka: `${folder}/*.eml` } as Record<
      string,
      string
    >;
    for (const { name, domain: at } of receivers) {
      await send(service, `ana@${at}`);
      const { remote_ip, tls, response } = await logOf(service, `ana@${at}`);
      const file = await waitFor(() => globSync(files[name] ?? '')[0], { what: `mail at ${name}` });
      // A Maildir keeps lines as the system ends them.
      const stored = readFileSync(file).toString('latin1').replaceAll(/\r?\n/g, '\r\n');
      const verdict = await judge(Buffer.from(stored, 'latin1'), dns);
      assert.match(String(tls), /^TLSv1\.[23] /);
      console.log(`${name} at ${String(remote_ip)}: ${String(response)}; ${String(tls)}; ${verdict}`);
    }
  } finally {
    for (const part of parts.toReversed()) await part.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
