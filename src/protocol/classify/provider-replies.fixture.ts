import type { ReplyOutcome } from './classify.ts';
import type { Phase } from './basic-codes.ts';

/**
 * Replies as providers document them or mail logs show them: provider | phase | reply | expected. Expected is
 * `hard|soft|block` for a bounce or `retry-soft|retry-block` for a deferral, the reason, and `throttled` where the
 * destination's pace has to back off, `after=N` where the text says when to come back.
 */
const table = `
Gmail | rcpt | 550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser a1-20020a05 - gsmtp | hard no_such_user
Gmail | rcpt | 550 5.2.1 The email account that you tried to reach is inactive. For more information, go to https://support.google.com/mail/?p=DisabledUser - gsmtp | hard mailbox_disabled
Gmail | rcpt | 452 4.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp - gsmtp | retry-soft mailbox_full
Gmail | rcpt | 552 5.2.2 The recipient's inbox is out of storage space and inactive. https://support.google.com/mail/?p=OverQuotaPerm - gsmtp | soft mailbox_full
Gmail | rcpt | 450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. Please resend your message at a later time. - gsmtp | retry-soft mailbox_busy
Gmail | rcpt | 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. - gsmtp | retry-soft mailbox_busy
Gmail | body | 421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited. - gsmtp | retry-block rate_limited throttled
Gmail | body | 550 5.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been blocked. - gsmtp | retry-block rate_limited throttled
Gmail | body | 550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp | retry-block not_authenticated
Gmail | body | 550 5.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy. Please contact the administrator of example.com domain. - gsmtp | retry-block not_authenticated
Gmail | body | 421 4.7.26 This mail has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp | retry-block not_authenticated throttled
Gmail | body | 550 5.7.25 The IP address sending this message does not have a PTR record setup, or the corresponding forward DNS entry does not point to the sending IP. - gsmtp | retry-block not_authenticated
Gmail | body | 550 5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. - gsmtp | retry-block spam
Gmail | body | 550 5.7.1 Gmail has detected that this message is likely suspicious due to the very low reputation of the sending domain. - gsmtp | retry-block blocklisted
Gmail | body | 552 5.7.0 This message was blocked because its content presents a potential security issue. Please visit https://support.google.com/mail/?p=BlockedMessage to review our message content and attachment content guidelines. - gsmtp | block bad_content
Gmail | mail | 421 4.7.0 Try again later, closing connection. (MAIL) - gsmtp | retry-block policy throttled
Gmail | body | 552 5.3.4 Your message exceeded Google's message size limits. - gsmtp | block message_too_big
Gmail | rcpt | 550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852 - gsmtp | retry-block rate_limited throttled
Google Workspace | body | 550 5.7.1 This message violates example.com email policy. - gcdp - gsmtp | retry-block policy
Outlook.com | rcpt | 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [BN8NAM12FT066.eop-nam12.prod.protection.outlook.com] | hard no_such_user
Outlook.com | mail | 550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors. | retry-block blocklisted
Outlook.com | mail | 451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775) | retry-block rate_limited throttled
Outlook.com | greeting | 421 RP-001 (BAY004-MC1F10) Unfortunately, some messages from 192.0.2.25 weren't sent. Please try again. We have limits for how many messages can be sent per hour and per day. | retry-block rate_limited throttled
Outlook.com | mail | 550 SC-001 (BAY004-OMC1S2) Unfortunately, messages from 192.0.2.25 weren't sent. | retry-block blocklisted
Outlook.com | body | 550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level. The sender's domain in the 5322.From address doesn't meet the authentication requirements defined for the sender. | retry-block not_authenticated
Exchange Online | rcpt | 550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT034.eop-EUR03.prod.protection.outlook.com] | hard no_such_user
Exchange Online | body | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ana@example.com not found by SMTP address lookup | hard no_such_user
Exchange Online | body | 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; Failed to process message due to a permanent exception | soft mailbox_full
Exchange Online | body | 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group | block recipient_is_choosy
Exchange Online | body | 550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject. | retry-block not_authenticated
Exchange Online | mail | 550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/ | retry-block blocklisted
Exchange Online | mail | 451 4.7.500 Server busy. Please try again later from [192.0.2.25]. (S77719) | retry-block policy throttled
Exchange Online | rcpt | 550 5.7.64 TenantAttribution; Relay Access Denied | retry-soft routing
Exchange Online | rcpt | 452 4.5.3 Too many recipients (AS780090) [AM6EUR05FT012.eop-eur05.prod.protection.outlook.com] | retry-block rate_limited throttled
Exchange Online | body | 554 5.4.14 Hop count exceeded - possible mail loop ATTR34 | retry-soft routing
Exchange Online | rcpt | 451 4.4.62 Mail sent to the wrong Office 365 region. ATTR35 | retry-soft routing
Exchange Server | rcpt | 550 5.1.1 User unknown | hard no_such_user
Exchange Server | rcpt | 550 5.7.1 Unable to relay | retry-soft routing
Exchange Server | body | 550 5.7.1 Message rejected as spam by Content Filtering. | retry-block spam
Exchange Server | mail | 452 4.3.1 Insufficient system resources | retry-soft system
Yahoo | body | 554 delivery error: dd This user doesn't have a yahoo.com account (ana@yahoo.com) [0] - mta4321.mail.bf1.yahoo.com | hard no_such_user
Yahoo | body | 554 delivery error: dd Sorry, your message to ana@yahoo.com cannot be delivered. This mailbox is disabled (554.30). - mta1117.mail.ne1.yahoo.com | hard mailbox_disabled
Yahoo | rcpt | 552 1 Requested mail action aborted, mailbox not found | hard no_such_user
Yahoo | greeting | 421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes | retry-block rate_limited throttled
Yahoo | greeting | 553 5.7.2 [TSS09] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes | retry-block blocklisted
Yahoo | greeting | 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.25, because the ip is in Spamhaus's list; see https://postmaster.yahooinc.com/error-codes | retry-block blocklisted
Yahoo | body | 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes | retry-block policy
Yahoo | body | 451 Message temporarily deferred - [160] | retry-soft temporary_failure
iCloud | rcpt | 550 5.1.1 <ana@icloud.com>: user does not exist | hard no_such_user
iCloud | rcpt | 552 5.2.2 <ana@icloud.com>: user is over quota | soft mailbox_full
iCloud | body | 554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137 | retry-block policy
Proofpoint | rcpt | 550 5.1.1 <ana@example.com>... User Unknown | hard no_such_user
Proofpoint | greeting | 554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25 | retry-block blocklisted
Proofpoint | body | 550 5.7.0 Local Policy Violation | retry-block policy
Proofpoint | body | 554 5.7.1 <ana@example.com> rejected: DMARC policy violation | retry-block not_authenticated
Mimecast | rcpt | 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [aBcDeFgHiJ.uk12] | hard no_such_user
Mimecast | rcpt | 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451 [xyz.us55] | retry-soft greylisted
Mimecast | rcpt | 550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [abc.za7] | retry-block blocklisted
Mimecast | body | 550 Rejected by header based Anti-Spoofing policy: news@example.com - https://community.mimecast.com/docs/DOC-1369#550 [abc.uk4] | retry-block not_authenticated
Mimecast | rcpt | 550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [abc.uk4] | retry-block policy
Mimecast | body | 554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369#554 [abc.us8] | retry-block policy
Barracuda | body | 550 permanent failure for one or more recipients (ana@example.com:blocked) | retry-block policy
Barracuda | body | 550 permanent failure for one or more recipients (ana@example.com:550 5.1.1 User unknown) | hard no_such_user
Barracuda | rcpt | 554 Service unavailable; Client host [mail.example.com] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.25 | retry-block blocklisted
Barracuda | rcpt | 550 No such user (ana@example.com) | hard no_such_user
Cisco | rcpt | 550 #5.1.0 Address rejected. | hard no_such_user
Cisco | greeting | 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means. | retry-block blocklisted
Cisco | rcpt | 550 #5.7.1 Your access to submit messages to this e-mail system has been rejected. | retry-block policy
Cisco | rcpt | 452 Too many recipients received this hour | retry-block rate_limited throttled
Cisco | rcpt | 550 Too many invalid recipients | retry-block rate_limited throttled
Postfix | rcpt | 550 5.1.1 <ana@example.com>: Recipient address rejected: User unknown in virtual mailbox table | hard no_such_user
Postfix | rcpt | 450 4.1.1 <ana@example.com>: Recipient address rejected: unverified address: connect to mail.example.com: Connection timed out | retry-soft no_such_user
Postfix | rcpt | 554 5.7.1 Service unavailable; Client host [192.0.2.25] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.25 | retry-block blocklisted
Postfix | rcpt | 554 5.7.1 <ana@example.com>: Relay access denied | retry-soft routing
Postfix | rcpt | 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.25] | retry-block not_authenticated throttled
Postfix | rcpt | 450 4.1.8 <news@example.com>: Sender address rejected: Domain not found | retry-block sender_rejected
Postfix | rcpt | 504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname | retry-block sender_rejected
Postfix | greeting | 421 4.7.0 mx.example.com Error: too many connections from 192.0.2.25 | retry-block rate_limited throttled
Postfix | mail | 552 5.3.4 Message size exceeds fixed limit | block message_too_big
Postfix | mail | 452 4.3.1 Insufficient system storage | retry-soft system
Postfix | body | 451 4.3.0 Error: queue file write error | retry-soft system
Postfix | rcpt | 556 5.1.10 <ana@example.com>: Recipient address rejected: Domain example.com does not accept mail (nullMX) | hard rejects_mail
Postfix | mail | 530 5.7.0 Must issue a STARTTLS command first | retry-block policy
Postfix with postgrey | rcpt | 450 4.2.0 <ana@example.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.com.html | retry-soft greylisted
Postfix with postgrey | rcpt | 450 4.2.0 <ana@example.com>: Recipient address rejected: Greylisted for 5 minutes | retry-soft greylisted after=300
milter-greylist | rcpt | 451 4.7.1 Greylisting in action, please come back in 00:04:32 | retry-soft greylisted after=272
Rspamd | body | 451 4.7.1 Greylisted, please try again in 300 seconds | retry-soft greylisted after=300
Rspamd | body | 554 5.7.1 Spam message rejected | retry-block spam
SQLgrey | rcpt | 450 4.7.1 <ana@example.com>: Recipient address rejected: Greylisted for 300 seconds (1) | retry-soft greylisted after=300
amavis | body | 554 5.7.0 Reject, id=12345-01 - BANNED: .exe,invoice.exe | block bad_content
amavis | body | 554 5.7.0 Reject, id=12345-02 - spam | retry-block spam
Exim | rcpt | 550 Unrouteable address | hard no_such_user
Exim | rcpt | 550 unknown user | hard no_such_user
Exim | rcpt | 550 relay not permitted | retry-soft routing
Exim | rcpt | 550 Sender verify failed | retry-block sender_rejected
Exim | rcpt | 451 Temporary local problem - please try later | retry-soft temporary_failure
Exim | rcpt | 451 192.0.2.25 is not yet authorized to deliver mail from <news@example.com> to <ana@example.org>. Please try later. Greylisted, retry after 15 min | retry-soft greylisted after=900
Exim on cPanel | rcpt | 550 No Such User Here | hard no_such_user
Exim on cPanel | rcpt | 550 JunkMail rejected - mail.example.com [192.0.2.25]:51234 is in an RBL, see https://www.spamhaus.org/query/ip/192.0.2.25 | retry-block blocklisted
Exim on cPanel | body | 550 This message was classified as SPAM and may not be delivered | retry-block spam
Sendmail | rcpt | 550 5.1.1 <ana@example.com>... User unknown | hard no_such_user
Sendmail | rcpt | 550 5.7.1 <ana@example.com>... Relaying denied. Proper authentication required. | retry-soft routing
Sendmail | mail | 553 5.1.8 <news@example.com>... Domain of sender address news@example.com does not exist | retry-block sender_rejected
Sendmail | greeting | 421 4.3.2 Connection rate limit exceeded. | retry-soft system throttled
Sendmail | rcpt | 550 5.2.1 <ana@example.com>... Mailbox disabled for this recipient | hard mailbox_disabled
qmail | rcpt | 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1) | retry-soft routing
qmail with chkuser | rcpt | 511 sorry, no mailbox here by that name (#5.1.1 - chkuser) | hard no_such_user
qmail | body | 552 sorry, that message size exceeds my databytes limit (#5.3.4) | block message_too_big
qmail | mail | 553 sorry, your envelope sender is in my badmailfrom list (#5.7.1) | retry-block sender_rejected
qmail | body | 451 qq temporary problem (#4.3.0) | retry-soft system
qmail | rcpt | 552 The user's mailbox quota is exceeded (#5.2.2) | soft mailbox_full
Zoho | rcpt | 550 5.1.1 User does not exist - <ana@example.com> | hard no_such_user
Zoho | body | 550 5.7.1 Email cannot be delivered. Reason: Email flagged as Spam. | retry-block spam
Zoho | rcpt | 553 Relaying disallowed as ana@example.com | retry-soft routing
GMX | rcpt | 550 Requested action not taken: mailbox unavailable. For explanation visit https://postmaster.gmx.net/en/case?c=r0301 | hard no_such_user
GMX | greeting | 554 gmx.net (mxgmx115) Nemesis ESMTP Service not available. No SMTP service. Bad DNS PTR resource record. For explanation visit https://postmaster.gmx.net/en/case?c=hd | retry-block not_authenticated
web.de | greeting | 554 web.de (mxweb012) Nemesis ESMTP Service not available. No SMTP service. IP address is block listed. For explanation visit https://postmaster.web.de/en/case?c=bl | retry-block blocklisted
web.de | body | 554 Transaction failed. Reject due to policy restrictions. For explanation visit https://postmaster.web.de/en/case?c=hi | retry-block policy
T-Online | greeting | 554 IP=192.0.2.25 - A problem occurred. Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify. (NOWL) | retry-block blocklisted
OVH | rcpt | 550 5.1.1 <ana@example.com>: Recipient address rejected: User unknown | hard no_such_user
Orange | rcpt | 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416] | hard no_such_user
Orange | greeting | 421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104] | retry-block rate_limited throttled
Orange | body | 550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506] | retry-block policy
Comcast | rcpt | 550 5.1.1 Not our Customer | hard no_such_user
Comcast | greeting | 554 resimta-po-12v.sys.comcast.net comcast 192.0.2.25 Comcast block for spam. Please see https://postmaster.comcast.net/smtp-error-codes.php#BL000000 | retry-block blocklisted
AT&T | mail | 553 5.3.0 flph829 DNSBL:RBL 521< 192.0.2.25 >_is_blocked. For assistance forward this error to abuse_rbl@abuse-att.net | retry-block blocklisted
Mail.ru | rcpt | 550 Message was not accepted -- invalid mailbox. Local mailbox ana@mail.ru is unavailable: user not found | hard no_such_user
Mail.ru | body | 550 spam message rejected. Please visit https://help.mail.ru/notspam-support/id?c=abc | retry-block spam
Yandex | rcpt | 550 5.7.1 No such user! | hard no_such_user
Yandex | body | 554 5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.cc/1IrBc | retry-block spam
QQ | rcpt | 550 Connection frequency limited. https://service.mail.qq.com/detail/122/72 | retry-block rate_limited throttled
163 | body | 554 DT:SPM 163 mx14, QMCowABHk0 please see http://mail.163.com/help/help_spam_16.htm | retry-block spam
Mailman | body | 550 5.7.1 You are not a member of this list, so posting is restricted | block recipient_is_choosy
Spanish-language ISP | rcpt | 550 Usuario desconocido: ana@example.cl | hard no_such_user
Spanish-language ISP | rcpt | 552 La casilla de ana@example.cl se encuentra llena | soft mailbox_full
Spanish-language ISP | rcpt | 421 Demasiadas conexiones desde su IP, intente nuevamente en 10 minutos | retry-block rate_limited throttled after=600
unknown server | rcpt | 550 Denied | hard no_such_user
unknown server | rcpt | 554 Go away | block rejected
unknown server | body | 554 Transaction failed | block rejected
unknown server | greeting | 554 No SMTP service here | retry-block policy
unknown server | mail | 550 Denied | retry-block sender_rejected
unknown server | rcpt | 550 4.2.1 Mailbox temporarily locked | retry-soft mailbox_disabled
unknown server | body | 250 2.0.0 Ok: queued as 4XyZ | sent
`;

export interface ProviderReply {
  provider: string;
  outcome: ReplyOutcome;
  expected: string;
}

export const providerReplies: ProviderReply[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [provider = '', phase = '', reply = '', expected = ''] = line.split(' | ');
    return { provider, outcome: { ...readReply(reply), phase: phase as Phase }, expected };
  });

function readReply(reply: string): Omit<ReplyOutcome, 'phase'> {
  const match = /^(\d{3}) (?:([245]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(reply);
  return { code: Number(match?.[1]), enhanced: match?.[2] ?? null, text: match?.[3] ?? '' };
}
