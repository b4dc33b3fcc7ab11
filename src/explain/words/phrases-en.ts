import type { Phrases, QuotedLine } from './phrases.ts';

const events: Record<string, string> = {
  sent: 'the mail was accepted',
  deferred: 'deferred',
  bounced: 'permanently rejected',
  dropped: 'Not sent',
  held: 'Put on hold',
  released: 'Released from hold',
  opened: 'Opened',
  clicked: 'A link was followed',
  unsubscribed: 'The recipient unsubscribed',
  resubscribed: 'The recipient subscribed again',
  complained: 'The recipient complained',
};

function line({ event, reason, attempt, remote_host, quoted }: QuotedLine): string {
  const what = `${events[event] ?? event}${reason === null ? '' : ` (${reason})`}`;
  const isAttempt = attempt !== null && ['sent', 'deferred', 'bounced'].includes(event);
  const where = isAttempt ? `Attempt ${attempt}${remote_host === null ? '' : ` at ${remote_host}`}: ` : '';
  return `${where}${what}.${quoted === null ? '' : ` Reply: ${quoted}`}`;
}

export const phrasesEn: Phrases = {
  states: {
    waiting: 'Waiting',
    delayed: 'Delayed',
    held: 'On hold',
    dropped: 'Not sent',
    bounced: 'Not delivered',
  },
  next: (at) => `The next attempt is on ${at}.`,
  due: 'The next attempt is due now.',
  gives_up: (at) => `Attempts continue until ${at}.`,
  bounced: 'No further attempt is made.',
  restricts: 'The address is restricted from now on: later mail to it is dropped.',
  dropped: 'Nothing was sent to the recipient.',
  late: (at) => `The server accepted the mail on ${at} and reported the failure later.`,
  sandbox: (recipient) => `${recipient} is a sandbox recipient: its name decides what happens.`,
  similar: ({ destination, count, same }) =>
    same > 1
      ? `${same} of your ${count} mails to ${destination} in the last 24 hours have the same problem.`
      : `Of your ${count} mails to ${destination} in the last 24 hours, only this one has the problem.`,
  publish: ({ type, host, value, priority }) =>
    `Publish the ${type} record ${host} with the value ${priority === null ? '' : `${priority} `}${value}`,
  received: 'The mail was accepted.',
  line,
  validated: ({ domain, record, status, why }) =>
    `Validation of ${domain}: ${record} ${status}.${why === null ? '' : ` ${why}`}`,
  blocked: 'The person asked to be blocked, and it was granted.',
  restricted: (reason) => `The address was restricted (${reason}).`,
  unsubscribed: 'The recipient unsubscribed from broadcast mail.',
  consented: ({ verdict, term, purpose }) =>
    `Consent to “${purpose}” was ${verdict === 'deny' ? 'withdrawn' : 'given'} under the term “${term}”.`,
  paused: (destination) => `Delivery to ${destination} was paused.`,
};
