/**
 * Whether a text can be shown as a link: http or https, without credentials, and nothing in it that browsers take
 * away before they read it (URL §4.4 drops tabs and line ends). Anything that a browser would run is refused.
 */
export function isWebAddress(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}
