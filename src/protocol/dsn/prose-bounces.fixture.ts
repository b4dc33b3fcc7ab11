import { message, returned } from './message.fixture.ts';
import type { Bounce } from './standard-bounces.fixture.ts';

const plain = 'Content-Type: text/plain; charset=utf-8';

/** Bounces that are written only for people. */
export const proseBounces: Bounce[] = [
  {
    name: 'qmail: no mailbox here by that name',
    raw: message(
      'From: MAILER-DAEMON@relay.example.net\nSubject: failure notice',
      `Hi. This is the qmail-send program at relay.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ana@example.net>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

${returned}`,
    ),
    expected: ['failed 5.1.1 - hard no_such_user ana@example.net -'],
  },
  {
    name: 'qmail: what the remote host said',
    raw: message(
      'From: MAILER-DAEMON@relay.example.net\nSubject: failure notice',
      `Hi. This is the qmail-send program at relay.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ana@example.net>:
192.0.2.1 failed after I sent the message.
Remote host said: 554 5.7.1 Message rejected as spam by content filter
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

${returned}`,
    ),
    expected: ['failed 5.7.1 554 block spam ana@example.net -'],
  },
  {
    name: 'qmail: in the queue too long',
    raw: message(
      'From: MAILER-DAEMON@relay.example.net\nSubject: failure notice',
      `Hi. This is the qmail-send program at relay.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ana@example.net>:
Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)
I'm not going to try again; this message has been in the queue too long.

--- Below this line is a copy of the message.
`,
    ),
    expected: ['failed 4.4.1 - soft routing ana@example.net -'],
  },
  {
    name: 'Exim: address failed at RCPT',
    raw: message(
      `X-Failed-Recipients: ana@example.net
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@relay.example.net>
Subject: Mail delivery failed: returning message to sender`,
      `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ana@example.net
    host mx.example.net [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ana@example.net>:
    550 Denied

------ This is a copy of the message, including all the headers. ------

${returned}`,
    ),
    expected: ['failed - 550 hard no_such_user ana@example.net mx.example.net'],
  },
  {
    name: 'Exim: retry timeout exceeded',
    raw: message(
      'X-Failed-Recipients: ana@example.net\nFrom: Mail Delivery System <Mailer-Daemon@relay.example.net>\nSubject: Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ana@example.net
    retry timeout exceeded

------ This is a copy of the message, including all the headers. ------
`,
    ),
    expected: ['failed - - soft temporary_failure ana@example.net -'],
  },
  {
    name: 'Exim: delayed 24 hours',
    raw: message(
      'From: Mail Delivery System <Mailer-Daemon@relay.example.net>\nSubject: Warning: message 1tabcd-0001Yz-2F delayed 24 hours\nAuto-Submitted: auto-replied',
      `This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on relay.example.net.

The address to which the message has not yet been delivered is:

  ana@example.net
    host mx.example.net [192.0.2.1]
    Delay reason: SMTP error from remote mail server after RCPT TO:<ana@example.net>:
    451 4.7.1 Greylisted

No action is required on your part.
`,
    ),
    expected: ['delayed 4.7.1 451 ana@example.net mx.example.net'],
  },
  {
    name: 'Yahoo: no such account',
    raw: message(
      'From: MAILER-DAEMON@yahoo.com\nSubject: Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.

<ana@yahoo.com>:
554: delivery error: dd This user doesn't have a yahoo.com account (ana@yahoo.com) [-5] - mta1170.mail.gq1.yahoo.com

--- Below this line is a copy of the message.

${returned}`,
    ),
    expected: ['failed - 554 hard no_such_user ana@yahoo.com -'],
  },
  {
    name: 'Yahoo: remote server would not have it',
    raw: message(
      'From: "MAILER-DAEMON@yahoo.com" <MAILER-DAEMON@yahoo.com>\nSubject: Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.

<ana@example.net>:
552: 5.2.2 The email account that you tried to reach is over quota.

--- Below this line is a copy of the message.
`,
    ),
    expected: ['failed 5.2.2 552 soft mailbox_full ana@example.net -'],
  },
  {
    name: 'Exchange: without a delivery status, HTML alone',
    raw: message(
      'From: Microsoft Outlook <MicrosoftExchange329e71ec@corp.example>\nSubject: Undeliverable: Hola\nContent-Type: text/html; charset=utf-8',
      `<html><body>
<p><b>Delivery has failed to these recipients or groups:</b></p>
<p><a href="mailto:ana@corp.example">ana@corp.example</a><br>
The e-mail address you entered couldn't be found. Please check the recipient's e-mail address.</p>
<p><b>Diagnostic information for administrators:</b></p>
<p>Generating server: mail.corp.example</p>
<p>ana@corp.example<br>#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##</p>
<p>Original message headers:</p>
<pre>${returned}</pre></body></html>`,
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@corp.example mail.corp.example'],
  },
  {
    name: 'Exchange: the remote server returned, in Spanish',
    raw: message(
      `From: postmaster@corp.example\nSubject: =?utf-8?Q?No_se_puede_entregar:_Hola?=\n${plain}`,
      `No se pudo entregar el mensaje a estos destinatarios o grupos:

josé@corp.example (josé@corp.example)
El buzón del destinatario está lleno y no puede aceptar mensajes.

Información de diagnóstico para administradores:

Generating server: mail.corp.example

josé@corp.example
Remote Server returned '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException'

Original message headers:

${returned}`,
    ),
    expected: ['failed 5.2.2 554 soft mailbox_full josé@corp.example mail.corp.example'],
  },
  {
    name: 'Exchange 2003: did not reach',
    raw: message(
      `From: System Administrator <postmaster@corp.example>\nSubject: Undeliverable: Hola\n${plain}`,
      `Your message did not reach some or all of the intended recipients.

      Subject:  Hola
      Sent:     14-07-2026 10:00

The following recipient(s) could not be reached:

      ana@corp.example on 14-07-2026 10:00
            The e-mail account does not exist at the organization this message was sent to.
            <mail.corp.example #5.1.1>
`,
    ),
    expected: ['failed 5.1.1 - hard no_such_user ana@corp.example -'],
  },
  {
    name: 'Gmail: failed permanently, as it wrote before',
    raw: message(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: ana@example.net',
      `Delivery to the following recipient failed permanently:

     ana@example.net

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the server for the recipient domain example.net by mx.example.net. [192.0.2.1].

The error that the other server returned was:
550 5.1.1 <ana@example.net>: Recipient address rejected: User unknown in local recipient table

----- Original message -----

${returned}`,
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@example.net mx.example.net'],
  },
  {
    name: 'Gmail: delayed, as it wrote before',
    raw: message(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)',
      `This is an automatically generated Delivery Status Notification

THIS IS A WARNING MESSAGE ONLY.

YOU DO NOT NEED TO RESEND YOUR MESSAGE.

Delivery to the following recipient has been delayed:

     ana@example.net

Message will be retried for 1 more day(s)
`,
    ),
    expected: ['delayed - - ana@example.net -'],
  },
  {
    name: 'Sendmail: transcript of session',
    raw: message(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@relay.example.net>\nSubject: Returned mail: User unknown',
      `The original message was received at Tue, 14 Jul 2026 10:00:00 GMT
from mx.chasqui.test [192.0.2.25]

   ----- The following addresses had permanent fatal errors -----
<ana@example.net>
    (reason: 550 5.1.1 <ana@example.net>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.example.net.:
>>> RCPT To:<ana@example.net>
<<< 550 5.1.1 <ana@example.net>... User unknown
550 5.1.1 <ana@example.net>... User unknown
`,
    ),
    expected: ['failed 5.1.1 550 hard no_such_user ana@example.net mx.example.net'],
  },
  {
    name: 'Sendmail: transient errors',
    raw: message(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@relay.example.net>\nSubject: Warning: could not send message for past 4 hours',
      `    **********************************************
    **      THIS IS A WARNING MESSAGE ONLY      **
    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **
    **********************************************

   ----- The following addresses had transient non-fatal errors -----
<ana@example.net>

   ----- Transcript of session follows -----
<ana@example.net>... Deferred: Connection refused by mx.example.net.
`,
    ),
    expected: ['delayed - - ana@example.net -'],
  },
  {
    name: 'Postfix: with its report stripped off on the way',
    raw: message(
      'From: MAILER-DAEMON@relay.example.net (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender',
      `This is the mail system at host relay.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<ana@example.net>: host mx.example.net[192.0.2.1] said: 554 5.7.1 Service
    unavailable; Client host [192.0.2.25] blocked using zen.spamhaus.org (in
    reply to RCPT TO command)
`,
    ),
    expected: ['failed 5.7.1 554 block blocklisted ana@example.net mx.example.net'],
  },
  {
    name: 'unknown system: a daemon that names nobody',
    raw: message(
      'From: "Server" <postmaster@example.net>\nSubject: Undeliverable mail',
      'Your message could not be delivered.\n',
    ),
    expected: ['failed - - block rejected - -'],
  },
];
