import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { addVerifiedDomain, senderDomain } from '../../src/deliver/delivery-bed.fixture.ts';
import { createSmtpCredential } from '../../src/credentials/smtp-credentials.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { attackOverSmtp } from './attacker.fixture.ts';
import { whileAttacked } from './neighbour.fixture.ts';

let service: TestService;
let auth: { username: string; password: string };
before(async () => {
  service = await startTestService({
    roles: 'api,submission,inbound',
    env: { CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true' },
  });
  const tenant = await service.tenant();
  await addVerifiedDomain(service, tenant);
  auth = await service.db.transaction(
    async (tx) =>
      await createSmtpCredential(tx, tenant.instance.id, { name: 'test', actor: { kind: 'operator' } }),
  );
});
after(async () => await service.stop());

const from = `From: hi@${senderDomain}\r\n`;
/** A field of this length in lines that are short enough. */
function field(name: string, piece: string, octets: number): string {
  const line = piece.repeat(Math.floor(900 / piece.length));
  const lines = Array.from({ length: Math.ceil(octets / (line.length + 3)) }, () => line);
  return `${name}: ${lines.join('\r\n ')}\r\n`;
}
const mebibyte = 1024 * 1024;
const body = '\r\nHello\r\n';

/** Hands it to the submission port, thrice at once, while another tenant is at work. */
async function submit(t: TestContext, message: string): Promise<string[]> {
  const bytes = Buffer.from(message);
  const { starttls = '' } = service.service.addresses.submission ?? {};
  const { result, block_ms } = await whileAttacked(
    service,
    async () =>
      await attackOverSmtp({ address: starttls, auth, to: 'ana@example.com', message: bytes, times: 3 }),
  );
  t.diagnostic(`blocked for ${block_ms.toFixed(1)} ms`);
  return result;
}

const tooLarge = /^552 5\.3\.4 request_too_large: The header of the message is larger than 262144 bytes\./;
const malformed = /^554 5\.6\.0 validation_error: /;
const accepted = /^250 2\.0\.0 queued as /;
const kibibytes = 250 * 1024;
const attacks: [what: string, message: () => string, reply: RegExp][] = [
  ['1 MB of groups in From', () => field('From', 'g:', mebibyte) + body, tooLarge],
  ['4 MB of groups in From', () => field('From', 'g:', 4 * mebibyte) + body, tooLarge],
  ['a To of 12 MB', () => from + field('To', 'a@b.example,', 12 * mebibyte) + body, tooLarge],
  ['14 MB of header and no body', () => from + field('X', 'x', 14 * mebibyte), tooLarge],
  ['14 MB of empty fields', () => from + 'a:\r\n'.repeat(3.5 * mebibyte) + body, tooLarge],
  ['250 KB of groups in From', () => field('From', 'g:', kibibytes) + body, malformed],
  ['250 KB of brackets in From', () => field('From', '<', kibibytes) + body, malformed],
  ['250 KB of comments in From', () => field('From', '((', kibibytes) + body, malformed],
  ['250 KB of quotes in From', () => field('From', String.raw`"\"`, kibibytes) + body, malformed],
  ['250 KB of encoded words in From', () => field('From', '=?utf-8?b?YWFh?= ', kibibytes) + body, malformed],
  ['250 KB of recipients', () => from + field('To', 'a@b.example,', kibibytes) + body, malformed],
  ['250 KB of domains', () => from + distinctDomains() + body, malformed],
  ['250 KB of groups in To', () => from + field('To', 'g:', kibibytes) + body, accepted],
  ['250 KB of comments in Cc', () => from + field('Cc', '(()', kibibytes) + body, accepted],
  ['250 KB of words in Subject', () => from + field('Subject', '=?x?b?YWFh?= ', kibibytes) + body, malformed],
  ['62,000 empty fields', () => from + 'a:\r\n'.repeat(62_000) + body, malformed],
  ['28,000 fields to take out', () => from + 'Sender:\r\n'.repeat(28_000) + body, malformed],
  ['a NUL in the header', () => `From: "CEO\0" <hi@${senderDomain}>\r\n${body}`, /^550 5\.6\.0 .*NUL/],
  ['a NUL in the body', () => `${from}\r\na\0b\r\n`, /^550 5\.6\.0 .*NUL/],
  [
    'a line of 999 octets in the header',
    () => `${from}X: ${'x'.repeat(996)}\r\n${body}`,
    /^550 5\.6\.0 .*line/,
  ],
  ['a line of 999 octets in the body', () => `${from}\r\n${'x'.repeat(999)}\r\n`, /^550 5\.6\.0 .*line/],
  ['lines of 998 octets', () => `${from}X: ${'x'.repeat(995)}\r\n\r\n${'x'.repeat(998)}\r\n`, accepted],
];
function distinctDomains(): string {
  return `To: ${Array.from({ length: 10_000 }, (_, at) => `\r\n a@d${at}.example`).join(',')}\r\n`;
}
for (const [what, message, reply] of attacks) {
  test(`${what} over SMTP do not delay others`, async (t) => {
    for (const said of await submit(t, message())) assert.match(said, reply);
  });
}

const multipart = `${from}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`;
const megabytes = (piece: string): string => piece.repeat((12 * mebibyte) / piece.length);
const bodies: [what: string, message: () => string][] = [
  ['boundaries', () => multipart + megabytes('--b\r\n')],
  ['what begins like a boundary', () => multipart + megabytes('--b--b\r\n')],
  ['dispositions', () => multipart + megabytes('--b\r\nContent-Disposition: attachment\r\n\r\n')],
  ['blank lines', () => multipart + megabytes('\r\n')],
  [
    'quoted-printable',
    () => `${multipart}--b\r\n${attachment('quoted-printable')}${megabytes('=41=42=43\r\n')}`,
  ],
  ['invalid base64', () => `${multipart}--b\r\n${attachment('base64')}${megabytes('!=é\r\n')}`],
  [
    'parts within parts',
    () => {
      const nested = Array.from(
        { length: 200 },
        (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
      );
      return from + nested.join('') + megabytes('--b7\r\n\r\nx\r\n');
    },
  ],
];
function attachment(encoding: string): string {
  return `Content-Disposition: attachment\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
}
for (const [what, message] of bodies) {
  test(`12 MB of ${what} over SMTP do not delay others`, async (t) => {
    for (const said of await submit(t, message())) assert.match(said, /^(?:250 2|451 4\.7\.1|552 5\.3\.4) ?/);
  });
}

const reports: [what: string, message: () => string][] = [
  ['quoted-printable', () => `${attachment('quoted-printable')}${'=41=42=43\r\n'.repeat(800_000)}`],
  [
    'quoted-printable that begins like XML',
    () => `${attachment('quoted-printable')}<a>${'=26lt;=\r\n'.repeat(500_000)}`,
  ],
  ['XML without end', () => `Content-Type: text/xml\r\n\r\n${'<a>\r\n'.repeat(900_000)}`],
  ['text between tags', () => `Content-Type: text/xml\r\n\r\n<a>${'&lt;&gt;\r\n'.repeat(450_000)}</a>`],
];
for (const [what, message] of reports) {
  test(`a DMARC report of megabytes of ${what} does not delay others`, async (t) => {
    const bytes = Buffer.from(message());
    const address = `127.0.0.1:${service.service.addresses.inbound?.split(':').at(-1)}`;
    const { result, block_ms } = await whileAttacked(
      service,
      async () => await attackOverSmtp({ address, to: 'dmarc@chasqui.test', message: bytes, times: 3 }),
    );
    t.diagnostic(`blocked for ${block_ms.toFixed(1)} ms`);
    // Its sender is not authenticated, so it is not even read; or there is no room for it beside the others.
    for (const answer of result) assert.match(answer, /^(550 5\.7\.1|452 4\.3\.1) /);
  });
}
