import type { NoteId } from '../provider-notes.ts';

/** What a provider means by a reply, and what to do about it. */
export const notesEn: Record<NoteId, { meaning: string; advice?: string }> = {
  gmail_unauthenticated: {
    meaning:
      'Gmail takes mail only from domains whose SPF or DKIM passes, and that keep their own DMARC policy.',
    advice: 'Gmail’s rules for senders: https://support.google.com/mail/answer/81126',
  },
  gmail_ptr: {
    meaning: 'Gmail requires a PTR record for the sending address whose name resolves back to it.',
  },
  gmail_rate: {
    meaning: 'Gmail saw much more mail, or more unwanted mail, from this address than before.',
    advice: 'See how Gmail judges your domain: https://postmaster.google.com',
  },
  gmail_domain_reputation: {
    meaning: 'Gmail judges by the domain in From: its readers marked earlier mail as spam.',
    advice: 'See how Gmail judges your domain: https://postmaster.google.com',
  },
  gmail_spam: {
    meaning: 'Gmail’s filter classified this message as unsolicited mail.',
    advice: 'See how Gmail judges your domain: https://postmaster.google.com',
  },
  gmail_content: {
    meaning: 'Gmail blocks certain file types, also inside archives, and links to harmful sites.',
    advice: 'File types that Gmail blocks: https://support.google.com/mail/answer/6590',
  },
  gmail_later: { meaning: 'Gmail temporarily rejects connections from this address, without blocking it.' },
  gmail_relay_limit: {
    meaning: 'The mail went through a Google account, which has reached its daily limit.',
    advice: 'Ask the operator not to use a Google account as relay for large numbers.',
  },
  workspace_policy: { meaning: 'The recipient’s organisation made this rule in its Google Workspace.' },
  outlook_block: {
    meaning: 'Outlook.com blocks the sending address or its network because of its reputation.',
    advice: 'The operator can ask Microsoft for mitigation: https://olcsupport.office.com',
  },
  outlook_rate: {
    meaning: 'Outlook.com lets an address send more as it gets to know it.',
    advice:
      'The operator can see how Outlook.com judges the address: https://sendersupport.olc.protection.outlook.com/snds/',
  },
  outlook_authentication: {
    meaning: 'Outlook.com asks SPF, DKIM and DMARC of all domains that send many mails.',
  },
  microsoft_banned: {
    meaning: 'Microsoft 365 has banned the sending address.',
    advice: 'The operator can have it removed: https://sender.office.com',
  },
  microsoft_busy: { meaning: 'Microsoft 365 slows down addresses whose mail it finds suspicious.' },
  microsoft_dmarc: {
    meaning:
      'Your domain’s own DMARC policy asks receivers to reject mail that does not pass, and this mail did not pass.',
  },
  microsoft_group: { meaning: 'The group takes mail only from people inside the organisation.' },
  microsoft_directory: { meaning: 'The address is not in the directory of the recipient’s organisation.' },
  microsoft_connector: {
    meaning:
      'The recipient’s Microsoft 365 is set up wrongly: a connector or an accepted domain is missing or forms a loop.',
  },
  yahoo_spamhaus: {
    meaning: 'Yahoo refuses addresses that are on the lists of Spamhaus.',
    advice: 'The operator can check and remove the address: https://check.spamhaus.org',
  },
  yahoo_deferred: {
    meaning: 'Yahoo defers mail of this address after complaints or sudden volume.',
    advice: 'Yahoo’s rules for senders: https://senders.yahooinc.com/best-practices/',
  },
  yahoo_blocked: {
    meaning: 'Yahoo has permanently blocked this address.',
    advice: 'The operator can ask Yahoo: https://senders.yahooinc.com/contact',
  },
  yahoo_policy: {
    meaning: 'Yahoo found that the message or its authentication breaks its rules.',
    advice: 'Yahoo’s error codes: https://senders.yahooinc.com/smtp-error-codes/',
  },
  icloud_policy: {
    meaning: 'iCloud refuses mail of senders with a poor reputation, and content that it takes for spam.',
    advice: 'iCloud’s rules for senders: https://support.apple.com/102322',
  },
  proofpoint_block: {
    meaning: 'Proofpoint, which filters for the recipient, blocks the sending address.',
    advice: 'The operator can ask for its removal: https://ipcheck.proofpoint.com',
  },
  mimecast_greylist: { meaning: 'Mimecast uses greylisting for unknown senders.' },
  mimecast_spoofing: {
    meaning: 'The recipient’s organisation takes mail with its own domain in From only from its own servers.',
    advice: 'Let its administrators add an anti-spoofing exception for you in Mimecast.',
  },
  mimecast_reputation: {
    meaning: 'Mimecast, which filters for the recipient, gives the sending address a poor reputation.',
  },
  mimecast_policy: { meaning: 'The recipient’s organisation blocks this sender in Mimecast.' },
  barracuda_reputation: {
    meaning: 'The sending address is on Barracuda’s block list.',
    advice: 'The operator can ask for its removal: https://www.barracudacentral.org/rbl/removal-request',
  },
  barracuda_content: {
    meaning: 'Barracuda, which filters for the recipient, blocked the content or a link in it.',
  },
  cisco_reputation: {
    meaning: 'Cisco Talos gives the sending address a poor reputation.',
    advice: 'The operator can look it up: https://talosintelligence.com/reputation_center',
  },
  invalid_recipients: {
    meaning: 'The server counted too many addresses that do not exist.',
    advice: 'Clean your list of this domain before you send to it again.',
  },
  spamhaus: {
    meaning: 'The server asks the lists of Spamhaus, and the sender is on one.',
    advice: 'The operator can check and remove the address: https://check.spamhaus.org',
  },
  united_internet: {
    meaning: 'GMX and web.de explain each refusal by the case that their reply names.',
    advice: 'Their rules for senders: https://postmaster.gmx.net/en/',
  },
  t_online: {
    meaning: 'T-Online accepts mail only from addresses whose operator it knows.',
    advice: 'The operator can write to tosa@rx.t-online.de to have the address admitted.',
  },
  orange: {
    meaning: 'Orange names the rule in the code OFR of its reply.',
    advice: 'Orange’s rules for senders: https://postmaster.orange.fr',
  },
  comcast: {
    meaning: 'Comcast blocks the sending address because of spam.',
    advice: 'The operator can ask for its removal: https://postmaster.comcast.net',
  },
  att: {
    meaning: 'AT&T keeps a block list of its own.',
    advice: 'The operator can forward the reply to abuse_rbl@abuse-att.net.',
  },
  mail_ru: {
    meaning: 'Mail.ru classified the message as spam.',
    advice: 'The rules of Mail.ru: https://help.mail.ru/mail-help/postmaster/',
  },
  yandex: {
    meaning: 'Yandex classified the message as spam.',
    advice: 'The rules of Yandex: https://yandex.com/support/mail/spam/honest-mailers.html',
  },
  qq: { meaning: 'QQ limits how often an address may connect, and raises it for senders that it knows.' },
  netease: {
    meaning: '163 (NetEase) classified the message as spam.',
    advice: 'The codes of NetEase: https://mail.163.com/help/help_spam_16.htm',
  },
};
