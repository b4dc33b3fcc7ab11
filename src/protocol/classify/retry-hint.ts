const shortestSeconds = 1;
const longestSeconds = 4 * 60 * 60;

// A number counts only after a word that speaks of coming back: "100 messages per 60 minutes" is not a hint.
const invitation =
  '(?:again|retry(?:ing)?|retried|wait|come ?back|back in|gr[ae]y-?list(?:ed|ing)?|defer(?:red)?|delayed|reintent\\w*|intent\\w*|espere|erneut)';
// Words may stand between the two, numbers may not.
const between = '[^\\d]{0,60}?';
const unit = '(s(?:ec\\w*|eg\\w*|ek\\w*)?|m(?:in\\w*)?|h(?:(?:ou)?rs?|oras?)?|stunden?)\\b';

const asClock = new RegExp(`${invitation}${between}\\b(\\d{1,2}):(\\d{2}):(\\d{2})\\b`, 'i');
const asMinutesAndSeconds = new RegExp(
  `${invitation}${between}\\b(\\d{1,3}) ?m(?:in\\w*)?,?(?: and)? ?(\\d{1,2}) ?s(?:ec\\w*)?\\b`,
  'i',
);
const asAmount = new RegExp(`${invitation}${between}\\b(\\d{1,6}) ?-?${unit}`, 'i');

/**
 * How long a reply asks to wait before the next attempt, in whole seconds from 1 to 4 hours: "try again in 300
 * seconds", "greylisted for 5 minutes", "come back in 00:05:00".
 */
export function findRetryHint(text: string): number | undefined {
  const seconds = readSeconds(text);
  if (seconds === undefined) return undefined;
  return Math.min(longestSeconds, Math.max(shortestSeconds, seconds));
}

function readSeconds(text: string): number | undefined {
  const clock = asClock.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const pair = asMinutesAndSeconds.exec(text);
  if (pair) return Number(pair[1]) * 60 + Number(pair[2]);
  const amount = asAmount.exec(text);
  return amount ? Number(amount[1]) * secondsOf(amount[2] ?? '') : undefined;
}

function secondsOf(unitName: string): number {
  const lower = unitName.toLowerCase();
  if (lower.startsWith('h') || lower.startsWith('stunde')) return 3600;
  return lower.startsWith('m') ? 60 : 1;
}
