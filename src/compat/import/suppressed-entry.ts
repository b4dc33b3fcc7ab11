import type { VendorName } from '../vendor.ts';

/** Of an export, by names in lower case without anything but letters. */
export type Entry = ReadonlyMap<string, string>;

/** Contract §8. */
type Reason = 'hard_bounce' | 'complaint' | 'manual';

interface Suppressed {
  address: string;
  reason: Reason;
  detail: string;
}

const names: Record<VendorName, string> = { resend: 'Resend', postmark: 'Postmark', sendgrid: 'SendGrid' };

const addressNames = ['email', 'emailaddress', 'recipient', 'address'];

/** `SuppressionReason` and `suppression_reason` are one name. */
export function nameOf(column: string): string {
  return column.toLowerCase().replace(/[^a-z]/g, '');
}

export function hasAddress(columns: string[]): boolean {
  return columns.some((column) => addressNames.includes(column));
}

/** An address that the other service does not send to, or why it is left out. */
export function suppressedEntry(
  vendor: VendorName,
  entry: Entry,
  forced: Reason | null,
): Suppressed | { address: string; left_out: string } {
  const address = addressNames.map((name) => entry.get(name)).find((value) => value !== undefined) ?? '';
  const found = sendableAnyway(entry) ?? forced ?? reasonOf[vendor](entry);
  if (typeof found !== 'string') return { address, left_out: found.left_out };
  const exported = [
    entry.get('reason') ?? entry.get('description'),
    entry.get('createdat') ?? entry.get('created'),
  ];
  const detail = [`Imported from ${names[vendor]}`, ...exported.filter(Boolean)].join(', ');
  return { address, reason: found, detail };
}

interface LeftOut {
  left_out: string;
}

/** Lists of contacts and of bounces name addresses that are sent to as well. */
function sendableAnyway(entry: Entry): LeftOut | undefined {
  const isSendable = entry.get('unsubscribed') === 'false' || entry.get('inactive') === 'false';
  return isSendable ? { left_out: 'not suppressed there' } : undefined;
}

const words: Record<string, Reason> = {
  bademailaddress: 'hard_bounce',
  bounce: 'hard_bounce',
  hardbounce: 'hard_bounce',
  complaint: 'complaint',
  spamcomplaint: 'complaint',
  manual: 'manual',
  manualsuppression: 'manual',
  manuallydeactivated: 'manual',
  unsubscribe: 'manual',
};

function byWord(word: string | undefined): Reason | LeftOut {
  if (word === undefined || word === '') return 'manual';
  const known = nameOf(word);
  const reason = Object.hasOwn(words, known) ? words[known] : undefined;
  return reason ?? { left_out: `${word.slice(0, 100)} is not a reason to suppress` };
}

/** Lists of a panel say in a column `reason` what the API calls so; elsewhere it is what a server answered. */
function wordOf(text: string | undefined): string | undefined {
  return text !== undefined && Object.hasOwn(words, nameOf(text)) ? text : undefined;
}

const reasonOf: Record<VendorName, (entry: Entry) => Reason | LeftOut> = {
  resend: (entry) =>
    entry.get('unsubscribed') === 'true'
      ? { left_out: 'unsubscribed from broadcasts only; --reason manual restricts it' }
      : byWord(entry.get('origin')),
  postmark: (entry) =>
    byWord(entry.get('suppressionreason') ?? entry.get('type') ?? wordOf(entry.get('reason'))),
  sendgrid(entry) {
    if (entry.has('groupid') || entry.has('groupname')) {
      return { left_out: 'unsubscribed from one group only; --reason manual restricts it' };
    }
    const status = entry.get('status') ?? '';
    if (status.startsWith('4')) return { left_out: 'a block that passes; --reason hard_bounce restricts it' };
    if (entry.has('ip')) return 'complaint';
    return status !== '' || entry.has('reason') ? 'hard_bounce' : 'manual';
  },
};
