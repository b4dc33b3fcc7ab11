import { message, report, returned } from './message.fixture.ts';

export interface Bounce {
  name: string;
  raw: Buffer;
  /** One line per recipient: action, status, code, bounce type and reason when it failed, address, host. */
  expected: string[];
}

const original = ['message/rfc822', returned] as const;

/** Reports with a `message/delivery-status` (RFC 3464), in the dress that each system gives them. */
export const standardBounces: Bounce[] = [
  {
    name: 'Gmail: address not found',
    raw: report(
      `Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: bounce-0190@shop.example.com
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
X-Failed-Recipients: ana@example.net`,
      [
        [
          'text/plain; charset="UTF-8"',
          `
** Address not found **

Your message wasn't delivered to ana@example.net because the address couldn't be found, or is unable to receive mail.

The response from the remote server was:
550 5.1.1 The email account that you tried to reach does not exist.
`,
        ],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; googlemail.com
Arrival-Date: Tue, 14 Jul 2026 03:00:01 -0700 (PDT)
X-Original-Message-ID: <0190a1b2@shop.example.com>

Final-Recipient: rfc822; ana@example.net
Action: failed
Status: 5.1.1
Remote-MTA: dns; aspmx.l.google.com. (142.250.0.26, the server for the domain example.net.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550-5.1.1 unnecessary spaces. For more information, go to
 550 5.1.1  https://support.google.com/mail/?p=NoSuchUser a1-20020a05 - gsmtp
Last-Attempt-Date: Tue, 14 Jul 2026 03:00:02 -0700 (PDT)
`,
        ],
        original,
      ],
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@example.net aspmx.l.google.com.'],
  },
  {
    name: 'Gmail: message blocked for its content',
    raw: report(
      `From: Mail Delivery Subsystem <mailer-daemon@google.com>
Subject: Delivery Status Notification (Failure)`,
      [
        ['text/plain', 'Message blocked\n\nYour message to ana@example.net has been blocked.'],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; google.com

Final-Recipient: rfc822; ana@example.net
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 550 5.7.1 Our system has detected that this message is likely unsolicited mail. - gsmtp
`,
        ],
      ],
    ),
    expected: ['failed 5.7.1 550 block spam ana@example.net -'],
  },
  {
    name: 'Gmail: inbox out of storage, given up after days',
    raw: report('From: mailer-daemon@googlemail.com\nSubject: Delivery Status Notification (Failure)', [
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; googlemail.com

Final-Recipient: rfc822; ana@example.net
Action: failed
Status: 4.2.2
Diagnostic-Code: smtp; 452-4.2.2 The recipient's inbox is out of storage space and inactive. Please
 452 4.2.2 https://support.google.com/mail/?p=OverQuotaTemp - gsmtp
`,
      ],
    ]),
    expected: ['failed 4.2.2 452 soft mailbox_full ana@example.net -'],
  },
  {
    name: 'Gmail: delay',
    raw: report(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)',
      [
        [
          'text/plain',
          '** Delivery incomplete **\n\nThere was a temporary problem. Gmail will retry for 46 more hours.',
        ],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; googlemail.com

Final-Recipient: rfc822; ana@example.net
Action: delayed
Status: 4.4.1
Diagnostic-Code: smtp; The recipient server did not accept our requests to connect.
Will-Retry-Until: Thu, 16 Jul 2026 03:00:01 -0700 (PDT)
`,
        ],
      ],
    ),
    expected: ['delayed 4.4.1 - ana@example.net -'],
  },
  {
    name: 'Exchange Online: recipient not found',
    raw: report(
      `From: <postmaster@example.onmicrosoft.com>
Content-Language: en-US
Subject: Undeliverable: Hola
X-MS-Exchange-Message-Is-Ndr:
Auto-Submitted: auto-replied`,
      [
        [
          'text/html; charset="us-ascii"',
          '<html><body><b>ana@example.net</b> wasn&#39;t found at example.net.</body></html>',
        ],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns;DB9PR03MB7450.eurprd03.prod.outlook.com
Received-From-MTA: dns;mx.chasqui.test
Arrival-Date: Tue, 14 Jul 2026 10:00:03 +0000

Final-Recipient: rfc822;ana@example.net
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ana@example.net not found by SMTP address lookup
X-Display-Name: ana@example.net
`,
        ],
        original,
      ],
    ),
    expected: ['failed 5.1.10 550 hard no_such_user ana@example.net -'],
  },
  {
    name: 'Exchange: encapsulated address, mailbox full',
    raw: report(
      'From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>\nSubject: No se puede entregar: Hola',
      [
        [
          'message/delivery-status',
          `
Reporting-MTA: dns;mail.corp.example

Original-Recipient: rfc822;ana@example.net
Final-Recipient: RFC822;IMCEASMTP-ana+40example+2Enet@corp.example
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded
Remote-MTA: dns;mbx1.corp.example
`,
        ],
      ],
    ),
    expected: ['failed 5.2.2 554 soft mailbox_full ana@example.net mbx1.corp.example'],
  },
  {
    name: 'Exchange: delivery delayed',
    raw: report('From: postmaster@corp.example\nSubject: Delivery delayed: Hola', [
      ['text/plain', 'Delivery is delayed to these recipients or groups:\n\nana@example.net'],
      [
        'message/delivery-status',
        `
Reporting-MTA: dns;mail.corp.example

Final-Recipient: RFC822;ana@example.net
Action: delayed
Status: 4.4.7
Diagnostic-Code: smtp;400 4.4.7 Message delayed
Will-Retry-Until: Thu, 16 Jul 2026 10:00:00 +0000
`,
      ],
    ]),
    expected: ['delayed 4.4.7 400 ana@example.net -'],
  },
  {
    name: 'Outlook.com: blocked by reputation at a relay',
    raw: report('From: postmaster@outlook.com\nSubject: Undeliverable: Hola', [
      [
        'message/delivery-status',
        `
Reporting-MTA: dns;AM0PR10MB2345.EURPRD10.PROD.OUTLOOK.COM

Final-recipient: RFC822;ana@example.net
Action: failed
Status: 5.7.606
Diagnostic-Code: smtp;550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/
Remote-MTA: dns;mx1.example.net
`,
      ],
    ]),
    expected: ['failed 5.7.606 550 block blocklisted ana@example.net mx1.example.net'],
  },
  {
    name: 'Postfix: user unknown',
    raw: report(
      'From: MAILER-DAEMON@relay.example.net (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied',
      [
        [
          'Content-Description: Notification\nContent-Type: text/plain; charset=us-ascii',
          `
This is the mail system at host relay.example.net.

<ana@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1
    <ana@example.net>: Recipient address rejected: User unknown in virtual
    mailbox table (in reply to RCPT TO command)
`,
        ],
        [
          'Content-Description: Delivery report\nContent-Type: message/delivery-status',
          `
Reporting-MTA: dns; relay.example.net
X-Postfix-Queue-ID: 4F3C21A0
X-Postfix-Sender: rfc822; bounce-0190@shop.example.com
Arrival-Date: Tue, 14 Jul 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; ana@example.net
Original-Recipient: rfc822;ana@example.net
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; 550 5.1.1 <ana@example.net>: Recipient address rejected:
    User unknown in virtual mailbox table
`,
        ],
        ['Content-Description: Undelivered Message\nContent-Type: message/rfc822', returned],
      ],
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@example.net mx.example.net'],
  },
  {
    name: 'Postfix: given up after five days',
    raw: report('From: MAILER-DAEMON@relay.example.net\nSubject: Undelivered Mail Returned to Sender', [
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; relay.example.net

Final-Recipient: rfc822; ana@example.net
Action: failed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.example.net[192.0.2.1]:25: Connection
    timed out
`,
      ],
    ]),
    expected: ['failed 4.4.1 - soft temporary_failure ana@example.net -'],
  },
  {
    name: 'Postfix: delayed',
    raw: report('From: MAILER-DAEMON@relay.example.net\nSubject: Delayed Mail (still being retried)', [
      ['text/plain', 'THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE.'],
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; relay.example.net

Final-Recipient: rfc822; ana@example.net
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.example.net[192.0.2.1]:25: Connection refused
Will-Retry-Until: Sun, 19 Jul 2026 10:00:00 +0000 (UTC)
`,
      ],
    ]),
    expected: ['delayed 4.4.1 - ana@example.net -'],
  },
  {
    name: 'Postfix: relayed where no further report will come from',
    raw: report('From: MAILER-DAEMON@relay.example.net\nSubject: Successful Mail Delivery Report', [
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; relay.example.net

Final-Recipient: rfc822; ana@example.net
Action: relayed
Status: 2.0.0
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; 250 2.0.0 Ok: queued as 4F3C21A0
`,
      ],
    ]),
    expected: ['relayed 2.0.0 - ana@example.net mx.example.net'],
  },
  {
    name: 'Exim: with a status of nothing, the words decide',
    raw: report(
      'X-Failed-Recipients: ana@example.net\nAuto-Submitted: auto-replied\nFrom: Mail Delivery System <Mailer-Daemon@relay.example.net>\nSubject: Mail delivery failed: returning message to sender',
      [
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; relay.example.net

Action: failed
Final-Recipient: rfc822;ana@example.net
Status: 5.0.0
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; 550 No such user here
`,
        ],
        ['text/rfc822-headers', returned],
      ],
    ),
    expected: ['failed 5.0.0 550 hard no_such_user ana@example.net mx.example.net'],
  },
  {
    name: 'Sendmail: user unknown, to an alias',
    raw: report(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@relay.example.net>\nSubject: Returned mail: see transcript for details\nAuto-Submitted: auto-generated (failure)',
      [
        ['text/plain', 'The original message was received at Tue, 14 Jul 2026 10:00:00 GMT'],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; relay.example.net
Received-From-MTA: DNS; mx.chasqui.test
Arrival-Date: Tue, 14 Jul 2026 10:00:00 GMT

Original-Recipient: rfc822;info@example.net
Final-Recipient: RFC822; ana@inside.example.net
X-Actual-Recipient: RFC822; ana@inside.example.net
Action: failed
Status: 5.1.1
Remote-MTA: DNS; inside.example.net
Diagnostic-Code: SMTP; 550 5.1.1 <ana@inside.example.net>... User unknown
Last-Attempt-Date: Tue, 14 Jul 2026 10:00:01 GMT
`,
        ],
        ['text/rfc822-headers', returned],
      ],
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@inside.example.net inside.example.net'],
  },
  {
    name: 'Sendmail: warning after four hours',
    raw: report(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@relay.example.net>\nSubject: Warning: could not send message for past 4 hours',
      [
        ['text/plain', '**      THIS IS A WARNING MESSAGE ONLY      **'],
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; relay.example.net

Final-Recipient: RFC822; ana@example.net
Action: delayed
Status: 4.4.1
Remote-MTA: DNS; mx.example.net
Last-Attempt-Date: Tue, 14 Jul 2026 14:00:01 GMT
`,
        ],
      ],
    ),
    expected: ['delayed 4.4.1 - ana@example.net mx.example.net'],
  },
  {
    name: 'Amazon SES',
    raw: report('From: MAILER-DAEMON@amazonses.com\nSubject: Delivery Status Notification (Failure)', [
      [
        'text/plain',
        'An error occurred while trying to deliver the mail to the following recipients:\nana@example.net',
      ],
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; a8-50.smtp-out.amazonses.com

Action: failed
Final-Recipient: rfc822; ana@example.net
Diagnostic-Code: smtp; 550 5.4.1 Recipient address rejected: Access denied. AS(201806281)
Status: 5.4.1
`,
      ],
    ]),
    expected: ['failed 5.4.1 550 hard no_such_user ana@example.net -'],
  },
  {
    name: 'iCloud: over quota',
    raw: report(
      'From: Mail Delivery System <MAILER-DAEMON@mr85p00im-ztdg06021701.me.com>\nSubject: Undelivered Mail Returned to Sender',
      [
        [
          'message/delivery-status',
          `
Reporting-MTA: dns; mr85p00im-ztdg06021701.me.com

Final-Recipient: rfc822; ana@icloud.com
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 <ana@icloud.com>: user is over quota
`,
        ],
      ],
    ),
    expected: ['failed 5.2.2 552 soft mailbox_full ana@icloud.com -'],
  },
  {
    name: 'several recipients, the last without a blank line before it',
    raw: report('From: MAILER-DAEMON@relay.example.net\nSubject: failure', [
      [
        'message/delivery-status',
        `
Reporting-MTA: dns; relay.example.net

Final-Recipient: rfc822; ana@example.net
Action: delivered
Status: 2.0.0

Final-Recipient: rfc822; eva@example.net
Action: failed (mailbox is full)
Status: 5.2.2 (mailbox full)
Final-Recipient: rfc822; list@example.net
Action: expanded
Status: 2.0.0
`,
      ],
    ]),
    expected: [
      'delivered 2.0.0 - ana@example.net -',
      'failed 5.2.2 - soft mailbox_full eva@example.net -',
      'expanded 2.0.0 - list@example.net -',
    ],
  },
  {
    name: 'beyond ASCII (RFC 6533), in base64',
    raw: report('From: MAILER-DAEMON@relay.example.net\nSubject: =?UTF-8?B?Tm8gZW50cmVnYWRv?=', [
      [
        'Content-Type: message/global-delivery-status\nContent-Transfer-Encoding: base64',
        Buffer.from(
          'Reporting-MTA: dns; relay.example.net\r\n\r\nFinal-Recipient: utf-8; josé@ñandú.example\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 Casilla inexistente\r\n',
        ).toString('base64'),
      ],
    ]),
    expected: ['failed 5.1.1 550 hard no_such_user josé@ñandú.example -'],
  },
  {
    name: 'broken: no boundary at the end, no action, and line ends of its own',
    raw: message(
      'From: MAILER-DAEMON@relay.example.net\nContent-Type: multipart/report; boundary=x',
      `--x
Content-Type: message/delivery-status

Reporting-MTA: relay.example.net
Final-Recipient: ana@example.net
Status: 5.1.1`,
    ),
    expected: ['failed 5.1.1 - hard no_such_user ana@example.net -'],
  },
];
