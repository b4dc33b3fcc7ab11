/**
 * How each reply of `protocol/classify/provider-replies.fixture.ts` has to be explained: provider | phase | how the reply
 * begins | cause, side and, where the provider means something of its own by it, the note.
 */
const table = `
Gmail | rcpt | 550 5.1.1 The email account | no_such_user recipient
Gmail | rcpt | 550 5.2.1 The email account | mailbox_disabled recipient
Gmail | rcpt | 452 4.2.2 The recipient's inbox | mailbox_full recipient
Gmail | rcpt | 552 5.2.2 The recipient's inbox | mailbox_full recipient
Gmail | rcpt | 450 4.2.1 The user you | mailbox_busy recipient
Gmail | rcpt | 550 5.2.1 The user you | mailbox_busy recipient
Gmail | body | 421 4.7.28 Gmail has detected | rate_limited recipient_server gmail_rate
Gmail | body | 550 5.7.28 Gmail has detected | rate_limited recipient_server gmail_rate
Gmail | body | 550 5.7.26 This mail has | not_authenticated sender gmail_unauthenticated
Gmail | body | 550 5.7.26 Unauthenticated email from | not_authenticated sender gmail_unauthenticated
Gmail | body | 421 4.7.26 This mail has | not_authenticated sender gmail_unauthenticated
Gmail | body | 550 5.7.25 The IP address | reverse_dns_missing platform gmail_ptr
Gmail | body | 550 5.7.1 Our system has | spam sender gmail_spam
Gmail | body | 550 5.7.1 Gmail has detected | domain_reputation sender gmail_domain_reputation
Gmail | body | 552 5.7.0 This message was | bad_content sender gmail_content
Gmail | mail | 421 4.7.0 Try again later, | rate_limited recipient_server gmail_later
Gmail | body | 552 5.3.4 Your message exceeded | message_too_big sender
Gmail | rcpt | 550 5.4.5 Daily user sending | rate_limited recipient_server gmail_relay_limit
Google Workspace | body | 550 5.7.1 This message violates | policy recipient_server workspace_policy
Outlook.com | rcpt | 550 5.5.0 Requested action not | no_such_user recipient
Outlook.com | mail | 550 5.7.1 Unfortunately, messages from | blocklisted platform outlook_block
Outlook.com | mail | 451 4.7.650 The mail server | rate_limited recipient_server outlook_rate
Outlook.com | greeting | 421 RP-001 (BAY004-MC1F10) Unfortunately, some | rate_limited recipient_server outlook_rate
Outlook.com | mail | 550 SC-001 (BAY004-OMC1S2) Unfortunately, messages | blocklisted platform outlook_block
Outlook.com | body | 550 5.7.515 Access denied, sending | not_authenticated sender outlook_authentication
Exchange Online | rcpt | 550 5.4.1 Recipient address rejected: | no_such_user recipient microsoft_directory
Exchange Online | body | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ana@example.com | no_such_user recipient microsoft_directory
Exchange Online | body | 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; | mailbox_full recipient
Exchange Online | body | 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; | recipient_is_choosy recipient microsoft_group
Exchange Online | body | 550 5.7.509 Access denied, sending | not_authenticated sender microsoft_dmarc
Exchange Online | mail | 550 5.7.606 Access denied, banned | blocklisted platform microsoft_banned
Exchange Online | mail | 451 4.7.500 Server busy. Please | rate_limited recipient_server microsoft_busy
Exchange Online | rcpt | 550 5.7.64 TenantAttribution; Relay Access | routing recipient_server microsoft_connector
Exchange Online | rcpt | 452 4.5.3 Too many recipients | rate_limited recipient_server
Exchange Online | body | 554 5.4.14 Hop count exceeded | mail_loop recipient_server microsoft_connector
Exchange Online | rcpt | 451 4.4.62 Mail sent to | routing recipient_server microsoft_connector
Exchange Server | rcpt | 550 5.1.1 User unknown | no_such_user recipient
Exchange Server | rcpt | 550 5.7.1 Unable to relay | routing recipient_server
Exchange Server | body | 550 5.7.1 Message rejected as | spam sender
Exchange Server | mail | 452 4.3.1 Insufficient system resources | system recipient_server
Yahoo | body | 554 delivery error: dd This | no_such_user recipient
Yahoo | body | 554 delivery error: dd Sorry, | mailbox_disabled recipient
Yahoo | rcpt | 552 1 Requested mail action | no_such_user recipient
Yahoo | greeting | 421 4.7.0 [TSS04] Messages from | rate_limited recipient_server yahoo_deferred
Yahoo | greeting | 553 5.7.2 [TSS09] All messages | blocklisted platform yahoo_blocked
Yahoo | greeting | 553 5.7.1 [BL21] Connections will | blocklisted platform yahoo_spamhaus
Yahoo | body | 554 5.7.9 Message not accepted | policy recipient_server yahoo_policy
Yahoo | body | 451 Message temporarily deferred - | temporary_failure recipient_server
iCloud | rcpt | 550 5.1.1 <ana@icloud.com>: user does | no_such_user recipient
iCloud | rcpt | 552 5.2.2 <ana@icloud.com>: user is | mailbox_full recipient
iCloud | body | 554 5.7.1 [CS01] Message rejected | policy recipient_server icloud_policy
Proofpoint | rcpt | 550 5.1.1 <ana@example.com>... User Unknown | no_such_user recipient
Proofpoint | greeting | 554 5.7.0 Blocked - see | blocklisted platform proofpoint_block
Proofpoint | body | 550 5.7.0 Local Policy Violation | policy recipient_server
Proofpoint | body | 554 5.7.1 <ana@example.com> rejected: DMARC | not_authenticated sender
Mimecast | rcpt | 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 | no_such_user recipient
Mimecast | rcpt | 451 Internal resources are temporarily | greylisted recipient_server mimecast_greylist
Mimecast | rcpt | 550 csi.mimecast.org Poor Reputation Sender. | blocklisted platform mimecast_reputation
Mimecast | body | 550 Rejected by header based | not_authenticated sender mimecast_spoofing
Mimecast | rcpt | 550 Administrative prohibition - envelope | policy recipient_server mimecast_policy
Mimecast | body | 554 Email rejected due to | policy recipient_server mimecast_policy
Barracuda | body | 550 permanent failure for one or more recipients (ana@example.com:blocked) | policy recipient_server barracuda_content
Barracuda | body | 550 permanent failure for one or more recipients (ana@example.com:550 | no_such_user recipient
Barracuda | rcpt | 554 Service unavailable; Client host | blocklisted platform barracuda_reputation
Barracuda | rcpt | 550 No such user (ana@example.com) | no_such_user recipient
Cisco | rcpt | 550 #5.1.0 Address rejected. | no_such_user recipient
Cisco | greeting | 554 Your access to this | blocklisted platform cisco_reputation
Cisco | rcpt | 550 #5.7.1 Your access to | policy recipient_server
Cisco | rcpt | 452 Too many recipients received | rate_limited recipient_server
Cisco | rcpt | 550 Too many invalid recipients | rate_limited recipient_server invalid_recipients
Postfix | rcpt | 550 5.1.1 <ana@example.com>: Recipient address | no_such_user recipient
Postfix | rcpt | 450 4.1.1 <ana@example.com>: Recipient address | address_unconfirmed recipient_server
Postfix | rcpt | 554 5.7.1 Service unavailable; Client | blocklisted platform spamhaus
Postfix | rcpt | 554 5.7.1 <ana@example.com>: Relay access | routing recipient_server
Postfix | rcpt | 450 4.7.25 Client host rejected: | reverse_dns_missing platform
Postfix | rcpt | 450 4.1.8 <news@example.com>: Sender address | sender_rejected sender
Postfix | rcpt | 504 5.5.2 <localhost>: Helo command | greeting_rejected platform
Postfix | greeting | 421 4.7.0 mx.example.com Error: too | rate_limited recipient_server
Postfix | mail | 552 5.3.4 Message size exceeds | message_too_big sender
Postfix | mail | 452 4.3.1 Insufficient system storage | system recipient_server
Postfix | body | 451 4.3.0 Error: queue file | system recipient_server
Postfix | rcpt | 556 5.1.10 <ana@example.com>: Recipient address | rejects_mail recipient
Postfix | mail | 530 5.7.0 Must issue a | tls_required recipient_server
Postfix with postgrey | rcpt | 450 4.2.0 <ana@example.com>: Recipient address rejected: Greylisted, | greylisted recipient_server
Postfix with postgrey | rcpt | 450 4.2.0 <ana@example.com>: Recipient address rejected: Greylisted for | greylisted recipient_server
milter-greylist | rcpt | 451 4.7.1 Greylisting in action, | greylisted recipient_server
Rspamd | body | 451 4.7.1 Greylisted, please try | greylisted recipient_server
Rspamd | body | 554 5.7.1 Spam message rejected | spam sender
SQLgrey | rcpt | 450 4.7.1 <ana@example.com>: Recipient address | greylisted recipient_server
amavis | body | 554 5.7.0 Reject, id=12345-01 - | bad_content sender
amavis | body | 554 5.7.0 Reject, id=12345-02 - | spam sender
Exim | rcpt | 550 Unrouteable address | no_such_user recipient
Exim | rcpt | 550 unknown user | no_such_user recipient
Exim | rcpt | 550 relay not permitted | routing recipient_server
Exim | rcpt | 550 Sender verify failed | sender_rejected sender
Exim | rcpt | 451 Temporary local problem - | temporary_failure recipient_server
Exim | rcpt | 451 192.0.2.25 is not yet | greylisted recipient_server
Exim on cPanel | rcpt | 550 No Such User Here | no_such_user recipient
Exim on cPanel | rcpt | 550 JunkMail rejected - mail.example.com | blocklisted platform spamhaus
Exim on cPanel | body | 550 This message was classified | spam sender
Sendmail | rcpt | 550 5.1.1 <ana@example.com>... User unknown | no_such_user recipient
Sendmail | rcpt | 550 5.7.1 <ana@example.com>... Relaying denied. | routing recipient_server
Sendmail | mail | 553 5.1.8 <news@example.com>... Domain of | sender_rejected sender
Sendmail | greeting | 421 4.3.2 Connection rate limit | rate_limited recipient_server
Sendmail | rcpt | 550 5.2.1 <ana@example.com>... Mailbox disabled | mailbox_disabled recipient
qmail | rcpt | 553 sorry, that domain isn't | routing recipient_server
qmail with chkuser | rcpt | 511 sorry, no mailbox here | no_such_user recipient
qmail | body | 552 sorry, that message size | message_too_big sender
qmail | mail | 553 sorry, your envelope sender | sender_rejected sender
qmail | body | 451 qq temporary problem (#4.3.0) | system recipient_server
qmail | rcpt | 552 The user's mailbox quota | mailbox_full recipient
Zoho | rcpt | 550 5.1.1 User does not | no_such_user recipient
Zoho | body | 550 5.7.1 Email cannot be | spam sender
Zoho | rcpt | 553 Relaying disallowed as ana@example.com | routing recipient_server
GMX | rcpt | 550 Requested action not taken: | no_such_user recipient united_internet
GMX | greeting | 554 gmx.net (mxgmx115) Nemesis ESMTP | reverse_dns_missing platform united_internet
web.de | greeting | 554 web.de (mxweb012) Nemesis ESMTP | blocklisted platform united_internet
web.de | body | 554 Transaction failed. Reject due | policy recipient_server united_internet
T-Online | greeting | 554 IP=192.0.2.25 - A problem | blocklisted platform t_online
OVH | rcpt | 550 5.1.1 <ana@example.com>: Recipient address | no_such_user recipient
Orange | rcpt | 550 5.1.1 Adresse d au | no_such_user recipient orange
Orange | greeting | 421 mwinf5c04 ME Trop de | rate_limited recipient_server orange
Orange | body | 550 5.2.0 Mail rejete. Mail | policy recipient_server orange
Comcast | rcpt | 550 5.1.1 Not our Customer | no_such_user recipient
Comcast | greeting | 554 resimta-po-12v.sys.comcast.net comcast 192.0.2.25 Comcast | blocklisted platform comcast
AT&T | mail | 553 5.3.0 flph829 DNSBL:RBL 521< | blocklisted platform att
Mail.ru | rcpt | 550 Message was not accepted | no_such_user recipient
Mail.ru | body | 550 spam message rejected. Please | spam sender mail_ru
Yandex | rcpt | 550 5.7.1 No such user! | no_such_user recipient
Yandex | body | 554 5.7.1 [2] Message rejected | spam sender yandex
QQ | rcpt | 550 Connection frequency limited. https://service.mail.qq.com/detail/122/72 | rate_limited recipient_server qq
163 | body | 554 DT:SPM 163 mx14, QMCowABHk0 | spam sender netease
Mailman | body | 550 5.7.1 You are not | recipient_is_choosy recipient
Spanish-language ISP | rcpt | 550 Usuario desconocido: ana@example.cl | no_such_user recipient
Spanish-language ISP | rcpt | 552 La casilla de ana@example.cl | mailbox_full recipient
Spanish-language ISP | rcpt | 421 Demasiadas conexiones desde su | rate_limited recipient_server
unknown server | rcpt | 550 Denied | recipient_refused recipient
unknown server | rcpt | 554 Go away | rejected recipient_server
unknown server | body | 554 Transaction failed | rejected recipient_server
unknown server | greeting | 554 No SMTP service here | policy recipient_server
unknown server | mail | 550 Denied | sender_rejected sender
unknown server | rcpt | 550 4.2.1 Mailbox temporarily locked | mailbox_locked recipient
`;

interface ExpectedExplanation {
  provider: string;
  phase: string;
  begins: string;
  expected: string;
}

export const expectedExplanations: ExpectedExplanation[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [provider = '', phase = '', begins = '', expected = ''] = line.split(' | ');
    return { provider, phase, begins, expected };
  });
