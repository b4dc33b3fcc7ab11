import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

const checkAddress = 'Check the address for typing errors, and with the person by other means.';
const removeAddress = 'Remove it from your lists.';
const tellTheirAdministrators =
  'If this continues, ask the recipient to send the reply below to the administrators of their mail server.';

/** What servers say about the address, the message and its sender. */
export const repliesEn = {
  no_such_user: {
    title: 'the address does not exist',
    text: ({ host, recipient }) => `${host} says that the mailbox ${recipient} does not exist.`,
    advice: [checkAddress, removeAddress],
  },
  recipient_refused: {
    title: 'the recipient’s server refused the address without saying why',
    text: ({ host, recipient }) =>
      `${host} rejected ${recipient} without a clear reason. Such a reply is treated like one about an address that does not exist.`,
    advice: [checkAddress, 'If it is right, lift the restriction and send the mail again.'],
  },
  address_unconfirmed: {
    title: 'the recipient’s server could not check the address',
    text: ({ host, recipient }) => `${host} could not check at the moment whether ${recipient} exists.`,
    advice: [checkAddress],
  },
  mailbox_disabled: {
    title: 'the mailbox is disabled',
    text: ({ host, recipient }) => `${host} knows ${recipient}, but the mailbox is closed or suspended.`,
    advice: ['Ask the person for another address.', removeAddress],
  },
  mailbox_locked: {
    title: 'the mailbox is locked for now',
    text: ({ host, recipient }) => `${host} does not accept mail for ${recipient} at the moment.`,
    advice: ['You do not need to do anything: it is tried again.'],
  },
  mailbox_moved: {
    title: 'the mailbox has moved or has a new owner',
    text: ({ host, recipient }) => `${host} says that ${recipient} no longer belongs to this person.`,
    advice: ['Ask the person for the new address.', removeAddress],
  },
  mailbox_full: {
    title: 'the mailbox is full',
    text: ({ recipient }) => `The mailbox of ${recipient} has no room for more mail.`,
    advice: ['Tell the person by other means to make room.'],
  },
  mailbox_busy: {
    title: 'the mailbox gets too much mail at the moment',
    text: ({ recipient }) =>
      `${recipient} currently gets more mail, from all senders together, than their provider allows.`,
    advice: [
      'You do not need to do anything: it is tried again.',
      'Send this recipient fewer mails at a time.',
    ],
  },
  bad_address: {
    title: 'the address is not valid',
    text: ({ host, recipient }) => `${host} does not recognise ${recipient} as an address.`,
    advice: [checkAddress, removeAddress],
  },
  bad_domain: {
    title: 'the part after the @ is not a valid mail domain',
    text: ({ destination }) => `${destination} cannot be a mail domain.`,
    advice: [checkAddress, removeAddress],
  },
  domain_not_found: {
    title: 'the domain does not exist',
    text: ({ destination }) => `The domain ${destination} does not exist in DNS.`,
    advice: [checkAddress, removeAddress],
  },
  no_mail_host: {
    title: 'the domain has no mail server',
    text: ({ destination }) => `${destination} exists, but DNS names no server that accepts its mail.`,
    advice: [checkAddress, removeAddress],
  },
  rejects_mail: {
    title: 'the domain does not accept mail',
    text: ({ destination }) => `${destination} declares that it does not accept mail.`,
    advice: [checkAddress, removeAddress],
  },
  recipient_is_choosy: {
    title: 'the recipient accepts mail only from certain senders',
    text: ({ recipient }) =>
      `${recipient} is a group, a list or a mailbox that accepts mail only from senders it knows.`,
    advice: ({ sender }) => [`Ask the owner of the address to allow ${sender}.`],
  },
  message_too_big: {
    title: 'the message is too large for the recipient’s server',
    text: ({ host }) => `${host} does not accept messages of this size.`,
    advice: ['Send links instead of attachments, or smaller images.'],
  },
  bad_content: {
    title: 'the recipient’s server refuses its content',
    text: ({ host }) =>
      `${host} found something in the message that it does not allow, such as a file type or a virus.`,
    advice: ['Check the attachments for viruses, and send no programs or macros.', 'Send files as links.'],
  },
  spam: {
    title: 'the recipient’s server classifies it as spam',
    text: ({ host }) =>
      `${host} refuses the message because of its content, or because of how earlier mail was received.`,
    advice: [
      'Look at subject, links and wording: shortened links and many images look like spam.',
      'Write only to people who expect it, and remove those who never open.',
    ],
  },
  not_authenticated: {
    title: 'the recipient’s server does not accept that it comes from your domain',
    text: ({ host, domain }) => `${host} checked SPF, DKIM and DMARC of ${domain}, and the check failed.`,
    advice: ({ domain, records }) =>
      records.length > 0
        ? [...records, `Then validate ${domain} again.`]
        : [
            `The records of ${domain} were in place at the last validation: validate it again, since they may have changed.`,
            'If your DMARC policy is strict, check that nothing rewrites the From address.',
          ],
  },
  domain_reputation: {
    title: 'your domain has a bad reputation there',
    text: ({ host, domain }) => `${host} refuses mail of ${domain} because of its reputation.`,
    advice: [
      'Stop sending to people who do not open, and look at your complaints and bounces.',
      'Send little and regularly to those who read it, until it is better.',
    ],
  },
  sender_rejected: {
    title: 'the recipient’s server refuses the sender',
    text: ({ host, sender }) =>
      `${host} does not accept mail from ${sender}, or could not verify its domain.`,
    advice: ({ domain, sender, records }) => [
      ...records,
      `Check that ${domain} exists in DNS with its MX record.`,
      `Ask the recipient to allow ${sender}.`,
    ],
  },
  blocklisted: {
    title: 'the sending address is on a block list',
    text: ({ host }) => `${host} refuses everything from the address that the platform sends from.`,
    advice: [
      'Ask the operator to have the address removed from the list, or to send from another one.',
      'Check whether bounces or complaints of your own mail led to it.',
    ],
  },
  reverse_dns_missing: {
    title: 'the sending address has no matching name in DNS',
    text: ({ host }) =>
      `${host} requires a PTR record for the sending address whose name resolves back to it.`,
    advice: ['Ask the operator to publish the PTR record and the name it points to.'],
  },
  greeting_rejected: {
    title: 'the recipient’s server rejects the platform’s EHLO name',
    text: ({ host }) => `${host} requires a full host name in EHLO that exists in DNS.`,
    advice: [
      'Ask the operator to set `CHASQUI_PLATFORM_DOMAIN` or the name of the source address to one that exists.',
    ],
  },
  protocol_error: {
    title: 'the recipient’s server did not understand the delivery',
    text: ({ host }) => `${host} refused a command of the protocol.`,
    advice: ['Give the reply below to the operator.'],
  },
  rate_limited: {
    title: 'its destination limits how much you send',
    text: ({ destination, taken_last_hour }) =>
      `${destination} currently accepts fewer mails than are sent to it. It accepted ${taken_last_hour} of yours in the last hour; the platform slows down by itself.`,
    advice: ({ next, destination }) => [
      ...(next === null
        ? []
        : [`You do not need to do anything for this mail: the next attempt is on ${next}.`]),
      `Spread sends to ${destination} over more time, and send first to those who read.`,
    ],
  },
  greylisted: {
    title: 'the recipient’s server asks unknown senders to try again later',
    text: ({ host }) =>
      `${host} uses greylisting: it rejects the first attempt of a new sender and accepts a later one.`,
    advice: ({ next }) => [
      next === null
        ? 'You do not need to do anything.'
        : `You do not need to do anything; the next attempt is on ${next}.`,
    ],
  },
  policy: {
    title: 'a rule of the recipient’s server forbids it',
    text: ({ host }) => `${host} rejects the mail because of its own policy, without details.`,
    advice: ({ sender }) => [
      `Ask the recipient to have the administrators of their mail server allow ${sender}; the reply below helps them.`,
      'Check that the domain’s DNS records are verified and that the content is what the recipient expects.',
    ],
  },
  tls_required: {
    title: 'the recipient’s server requires an encrypted connection',
    text: ({ host }) =>
      `${host} accepts mail only over TLS, and the TLS handshake failed shortly before. TLS is tried again within an hour.`,
    advice: ['You do not need to do anything at first.', tellTheirAdministrators],
  },
  rejected: {
    title: 'the recipient’s server refused it without saying why',
    text: ({ host }) => `${host} rejected the mail without a clear reason.`,
    advice: [
      tellTheirAdministrators,
      'Try other content: a second mail shows whether it is the message or the address.',
    ],
  },
  temporary_failure: {
    title: 'the recipient’s server temporarily rejected it',
    text: ({ host }) => `${host} asked to try again later, without saying why.`,
    advice: ['You do not need to do anything: it is tried again.', tellTheirAdministrators],
  },
  system: {
    title: 'the recipient’s server has a problem',
    text: ({ host }) => `${host} reports an internal problem, such as a full disk or too much load.`,
    advice: ['You do not need to do anything: it is tried again.', tellTheirAdministrators],
  },
  routing: {
    title: 'the recipient’s server does not know what to do with this domain',
    text: ({ host, destination }) =>
      `DNS leads mail of ${destination} to ${host}, which does not accept it or cannot forward it.`,
    advice: ({ destination }) => [
      checkAddress,
      `Ask the recipient to tell their administrators that the MX records of ${destination} do not match the server.`,
    ],
  },
  mail_loop: {
    title: 'the recipient’s server reports a mail loop',
    text: ({ host }) => `${host} saw the mail pass too many servers: forwarding there leads back to itself.`,
    advice: [tellTheirAdministrators],
  },
  eight_bit_unsupported: {
    title: 'the recipient’s server does not accept 8-bit messages',
    text: ({ host }) => `${host} accepts only messages of 7-bit characters, and this one has others.`,
    advice: ['Send it over HTTP, where it is encoded for such servers, or encode the message you submit.'],
  },
  smtputf8_unsupported: {
    title: 'the recipient’s server does not accept international addresses',
    text: ({ host, recipient }) => `${recipient} or a header needs SMTPUTF8, which ${host} does not offer.`,
    advice: ['Ask the person for an address with plain ASCII letters.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;
