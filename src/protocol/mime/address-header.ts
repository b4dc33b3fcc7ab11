import { encodeWords } from './encoded-words.ts';
import { foldTokens } from './fold-header.ts';
import { requireHeaderText } from './header-text.ts';
import type { Mailbox } from './outgoing-message.ts';

type AddressHeader = 'From' | 'To' | 'Cc' | 'Reply-To';

/** Encoded words of this length fit beside the longest name, within the 76 columns of RFC 2047 §2. */
const longestWord = 64;
const longestLine = 76;

const atoms = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/;
// RFC 5322 §3.4.1 with the characters of RFC 6532; a last defence, addresses come here in canonical form.
const addrSpec =
  /^(?:[^\p{Cc}\p{Zl}\p{Zp} "(),:;<>@[\\\]]+|"(?:[^\p{Cc}\p{Zl}\p{Zp}"\\]|\\[\x20-\x7e])*")@[A-Za-z0-9.-]+$/u;

/** A header of mailboxes, folded between them, and within a display name only between encoded words. */
export function foldMailboxes(name: AddressHeader, mailboxes: Mailbox[]): string {
  const tokens = mailboxes.flatMap((mailbox, index) => {
    const comma = index === mailboxes.length - 1 ? '' : ',';
    return mailboxTokens(mailbox, comma);
  });
  return foldTokens(name, tokens, longestLine);
}

function mailboxTokens({ address, name = '' }: Mailbox, comma: string): string[] {
  if (!addrSpec.test(address)) throw new TypeError('mail address that cannot stand in a header');
  const phrase = requireHeaderText('display name', name).trim();
  return phrase === '' ? [` ${address}${comma}`] : [...phraseTokens(phrase), ` <${address}>${comma}`];
}

/**
 * RFC 5322 §3.2.5: atoms where they suffice, else a quoted string; encoded words outside ASCII, for what is long, and for
 * what a careless reader would take for the address.
 */
function phraseTokens(phrase: string): string[] {
  if (phrase.length > longestWord || /[^\x20-\x7e]|=\?|[<>@]/.test(phrase)) {
    return encodeWords(phrase, longestWord).map((word) => ` ${word}`);
  }
  return [atoms.test(phrase) ? ` ${phrase}` : ` "${phrase.replaceAll(/["\\]/g, String.raw`\$&`)}"`];
}
