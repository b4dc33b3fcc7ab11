export type Scheme = 'light' | 'dark';

const asked = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;

/** Whether a message says itself how it looks in the dark. */
export function hasDarkStyles(html: string): boolean {
  return /prefers-color-scheme\s*:\s*dark/i.test(html);
}

/** Programs that darken messages themselves turn lightness around and keep hues: this comes close. */
const darkening = 'invert(0.92) hue-rotate(180deg)';
/** Pictures are turned back. */
const pictures = `img, video, [background], [style*='background-image'] { filter: invert(1) hue-rotate(180deg); }`;

/**
 * Makes a message look as in a light or a dark mail program, whatever the reader's own theme is. Returns the filter to
 * show it through: a message without dark styles is darkened as some programs do.
 */
export function inScheme(message: Document, scheme: Scheme): string {
  const isDarkened = scheme === 'dark' && !hasDarkStyles(message.documentElement.outerHTML);
  const settle = (query: string): string =>
    query.replaceAll(asked, (_match, wanted: string) =>
      wanted.toLowerCase() === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
    );
  for (const style of message.querySelectorAll('style')) style.textContent = settle(style.textContent);
  for (const element of message.querySelectorAll('[media]')) {
    element.setAttribute('media', settle(element.getAttribute('media') ?? ''));
  }
  if (!isDarkened) return '';
  const style = message.createElement('style');
  style.textContent = pictures;
  message.head.append(style);
  return darkening;
}
