import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message, report, returned } from '../dsn/message.fixture.ts';
import { readReport } from '../dsn/read-report.ts';
import { fieldOf } from '../mime/read-fields.ts';

const mailFrom = 'bounce-0190a1b2c3d47e8f9a0b1c2d3e4f50610123456789abcdef@shop.example.com';
const abuseLink = '<https://mail.chasqui.test/report/0190a1b2c3d47e8f9a0b1c2d3e4f5061fedcba9876543210>';

function complaint(raw: Buffer) {
  const read = readReport(raw);
  assert.equal(read.kind, 'complaint');
  return read;
}

const yahoo = report(
  'From: Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.yahoo.com>\nSubject: FW: Hola',
  [
    ['text/plain', 'This is an email abuse report for an email message from shop.example.com.'],
    [
      'Content-Type: message/feedback-report\nContent-Disposition: inline',
      `
Feedback-Type: abuse
User-Agent: Yahoo!-Mail-Feedback/2.0
Version: 0.1
Original-Mail-From: <${mailFrom}>
Original-Rcpt-To: ana@yahoo.com
Received-Date: Tue, 14 Jul 2026 10:05:00 PDT
Reported-Domain: shop.example.com
Authentication-Results: atlas.mail.yahoo.com; dkim=pass
`,
    ],
    ['Content-Type: message/rfc822\nContent-Disposition: inline', returned],
  ],
  'feedback-report',
);

test('a report of a feedback loop tells its type, the envelope and the mail complained about (Yahoo)', () => {
  const read = complaint(yahoo);
  assert.equal(read.feedback_type, 'abuse');
  assert.equal(read.original_mail_from, mailFrom);
  assert.equal(read.user_agent, 'Yahoo!-Mail-Feedback/2.0');
  assert.equal(fieldOf(read.original, 'return-path'), `<${mailFrom}>`);
  assert.equal(fieldOf(read.original, 'x-report-abuse'), abuseLink);
});

test('the message may be only its header, or encoded (Comcast, SpamCop)', () => {
  const parts = (last: [string, string]) =>
    report(
      'From: abuse@fbl.example.net\nSubject: Abuse report',
      [['message/feedback-report', 'Feedback-Type: Fraud\nUser-Agent: x/1\nVersion: 1'], last],
      'feedback-report',
    );
  const headers = complaint(parts(['text/rfc822-headers', returned]));
  assert.equal(headers.feedback_type, 'fraud');
  assert.equal(fieldOf(headers.original, 'x-report-abuse'), abuseLink);
  const encoded = [
    'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64',
    btoa(returned),
  ] as const;
  assert.equal(fieldOf(complaint(parts([...encoded])).original, 'x-report-abuse'), abuseLink);
  assert.deepEqual(complaint(parts(['text/plain', 'nothing came with it'])).original, []);
});

test('junk mail reports of Outlook.com only attach the message, with a field of their own', () => {
  const raw = message(
    'From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.25\nContent-Type: multipart/mixed; boundary=b',
    `--b\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\nX-HmXmrOriginalRecipient: ana@outlook.com\n${returned}\n--b--\n`,
  );
  const read = complaint(raw);
  assert.equal(read.feedback_type, 'abuse');
  assert.equal(fieldOf(read.original, 'x-report-abuse'), abuseLink);
});

test('a mail that a person forwards is not a report', () => {
  const raw = message(
    'From: ana@example.net\nSubject: Fwd: Hola\nContent-Type: multipart/mixed; boundary=b',
    `--b\nContent-Type: text/plain\n\nlook\n--b\nContent-Type: message/rfc822\n\n${returned}\n--b--\n`,
  );
  assert.equal(readReport(raw).kind, 'other');
});

test('a feedback type is a word, and the default is abuse', () => {
  const typed = (line: string): string =>
    complaint(report('From: a@b.example', [['message/feedback-report', `${line}\nVersion: 1`]]))
      .feedback_type;
  assert.equal(typed('Feedback-Type: not-spam'), 'not-spam');
  assert.equal(typed('Feedback-Type: ABUSE; x'), 'abuse');
  assert.equal(typed('Feedback-Type: <script>'), 'abuse');
  assert.equal(typed('User-Agent: x'), 'abuse');
});
