/**
 * Replies that a provider documents, and so means something more exact by than their words say. The first that fits
 * counts. What is told of them, and where to turn, are words of ours: nothing in a reply becomes advice or a link.
 */
const notes = [
  ['gmail_unauthenticated', /\b[45]\.7\.26\b.*\bgsmtp\b/],
  ['gmail_ptr', /\b5\.7\.25\b.*\bgsmtp\b/],
  ['gmail_rate', /\b[45]\.7\.28\b.*\bgsmtp\b/],
  ['gmail_domain_reputation', /reputation of the sending domain.*\bgsmtp\b/],
  ['gmail_spam', /likely unsolicited mail.*\bgsmtp\b/],
  ['gmail_content', /p=blockedmessage\b/],
  ['gmail_later', /\b4\.7\.0 try again later.*\bgsmtp\b/],
  ['gmail_relay_limit', /\b5\.4\.5\b.*\bgsmtp\b/],
  ['workspace_policy', /violates \S+ email policy.*\bgsmtp\b/],
  ['outlook_block', /\(s31[45]0\)|\b(?:sc|dy|ou)-00\d\b/],
  ['outlook_rate', /\(s775\)|\b4\.7\.650\b|\brp-00\d\b/],
  ['outlook_authentication', /\b5\.7\.515\b/],
  ['microsoft_banned', /\b5\.7\.(?:511|60[6-9]|6[1-4]\d)\b/],
  ['microsoft_busy', /\b4\.7\.500\b/],
  ['microsoft_dmarc', /\b5\.7\.509\b/],
  ['microsoft_group', /\b5\.7\.(?:124|13[346])\b|sendernotauthenticatedforgroup/],
  ['microsoft_directory', /\bas\(201806281\)|resolver\.adr\.recipientnotfound/],
  ['microsoft_connector', /\btenantattribution\b|\battr3[45]\b/],
  ['yahoo_spamhaus', /\[bl2\d\]/],
  ['yahoo_deferred', /\[tss?0[0-8]\]/],
  ['yahoo_blocked', /\[tss?\d\d\]/],
  ['yahoo_policy', /\b5\.7\.9\b.*postmaster\.yahooinc\.com/],
  ['icloud_policy', /\[(?:cs|hm)\d\d\]/],
  ['proofpoint_block', /ipcheck\.proofpoint\.com/],
  ['mimecast_greylist', /internal resources are temporarily unavailable.*mimecast/],
  ['mimecast_spoofing', /anti-spoofing policy.*mimecast/],
  ['mimecast_reputation', /poor reputation sender.*mimecast/],
  ['mimecast_policy', /(?:administrative prohibition|security policies).*mimecast/],
  ['barracuda_reputation', /barracuda(?:networks\.com|central| reputation)/],
  ['barracuda_content', /permanent failure for one or more recipients \(\S*:blocked\)/],
  ['cisco_reputation', /sending mta's poor reputation/],
  ['invalid_recipients', /too many invalid recipients/],
  ['spamhaus', /spamhaus/],
  ['united_internet', /postmaster\.(?:gmx\.net|web\.de)/],
  ['t_online', /tosa@rx\.t-online\.de/],
  ['orange', /\bofr\d*_\d{3}\b/],
  ['comcast', /postmaster\.comcast\.net/],
  ['att', /abuse_rbl@abuse-att\.net/],
  ['mail_ru', /help\.mail\.ru/],
  ['yandex', /\bya\.cc\//],
  ['qq', /service\.mail\.qq\.com/],
  ['netease', /mail\.163\.com|\bdt:spm\b/],
] as const satisfies readonly (readonly [id: string, text: RegExp])[];

export type NoteId = (typeof notes)[number][0];
export const noteIds: readonly NoteId[] = notes.map(([id]) => id);

/** Some servers add pages to a reply. */
const maxCharacters = 1_000;

/** What is known of this very reply; undefined of most. */
export function findNote(response: string | null): NoteId | undefined {
  const text = (response ?? '').slice(0, maxCharacters).toLowerCase().replaceAll(/\s+/g, ' ');
  return notes.find(([, pattern]) => pattern.test(text))?.[0];
}
