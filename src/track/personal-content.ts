import { escapeHtml } from '../base/http/html.ts';
import type { MailTokens } from '../mails/index.ts';
import { scanLinks } from '../protocol/html/scan-links.ts';
import type { Slot, SlottedText } from '../protocol/mime/outgoing-message.ts';
import { maxTargetLength, type LinkTarget, type TrackingTokens } from './tracking-token.ts';

export interface Personalisation {
  tokens: MailTokens;
  tracking: TrackingTokens;
  base_url: string;
  /** Whose message it is. */
  instance_id: number;
}

/** What a slot holds. */
type Meaning = 'open' | 'unsubscribe' | LinkTarget;

/** Replaces the text between two offsets with a slot and its surroundings. */
interface Edit {
  start: number;
  end: number;
  before: string;
  meaning: Meaning;
  after: string;
}

export interface Switches {
  track_opens: boolean;
  track_clicks: boolean;
  /** Whether `{{ unsubscribe_url }}` is to be replaced; templates are already rendered. */
  fill_placeholders: boolean;
}

/** The only placeholder outside templates (contract §8). */
export const unsubscribePlaceholder = /\{\{-?\s*unsubscribe_url\s*-?\}\}/g;
const opt_out = 'data-chq-notrack';
/**
 * Each link is signed per recipient, 9 µs and 200 bytes. 24,000 links (1.4 KB of gzip) to 50 recipients took 8 s.
 * Further links stay untracked. Gmail cuts a message after 102 KB, which is fewer links.
 */
export const maxTrackedLinks = 2_000;

/**
 * The content of a message with slots for what differs per recipient: tracked links, pixel, unsubscribe link.
 * Everything else is unchanged, byte for byte.
 */
export class PersonalContent {
  readonly #with: Personalisation;
  readonly #base_in_html: string;
  /** Normalised as by a browser, to recognise our own links. */
  readonly #base_href: string;
  readonly #meanings: Meaning[] = [];

  constructor(personalisation: Personalisation) {
    this.#with = personalisation;
    this.#base_in_html = escapeHtml(personalisation.base_url);
    this.#base_href = new URL(personalisation.base_url).href.replace(/\/$/, '');
  }

  /** HTML with tracked links and pixel, as enabled. */
  html(html: string, { track_opens, track_clicks, fill_placeholders }: Switches): SlottedText {
    const edits = fill_placeholders ? this.#placeholders(html, this.#base_in_html) : [];
    if (track_opens || track_clicks) {
      const { links, body_end } = scanLinks(html, { opt_out });
      if (track_clicks) {
        const tracked = links.slice(0, maxTrackedLinks);
        edits.push(...tracked.flatMap(({ start, end, url }) => this.#link(start, end, url)));
      }
      if (track_opens) edits.push(...this.#pixel(html, body_end));
    }
    return this.#apply(html, edits);
  }

  /** Plain text with its placeholders. */
  text(text: string, { fill_placeholders }: Pick<Switches, 'fill_placeholders'>): SlottedText {
    return this.#apply(text, fill_placeholders ? this.#placeholders(text, this.#with.base_url) : []);
  }

  /** Values of the slots for one mail. */
  valuesFor(mailId: string): (slot: number) => string {
    const { tokens, tracking, instance_id } = this.#with;
    const tracked = tracking.of({ mail_id: mailId, instance_id });
    return (slot) => {
      const meaning = this.#meanings[slot];
      if (meaning === undefined) throw new RangeError(`no slot ${slot}`);
      if (meaning === 'open') return tracked.open();
      return meaning === 'unsubscribe' ? tokens.make('unsubscribe', mailId) : tracked.click(meaning);
    };
  }

  #placeholders(text: string, base_url: string): Edit[] {
    // Few texts contain braces: searching for the name took 9 µs in 20 KB, this 0.3.
    if (!text.includes('{{')) return [];
    return [...text.matchAll(unsubscribePlaceholder)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      before: `${base_url}/u/`,
      meaning: 'unsubscribe',
      after: '',
    }));
  }

  #link(start: number, end: number, url: string): Edit[] {
    const href = trackable(url, this.#base_href);
    const target = href === undefined ? undefined : this.#with.tracking.target(href);
    if (!target) return [];
    return [{ start, end, before: `${this.#base_in_html}/c/`, meaning: target, after: target.tail }];
  }

  /**
   * Without width and height, so that clients without images show nothing. None if the content already has our pixel.
   */
  #pixel(html: string, at: number): Edit[] {
    const source = `${this.#base_in_html}/o/`;
    if (html.includes(source)) return [];
    const after = '" width="1" height="1" border="0" alt="" style="display:block;width:1px;height:1px">';
    return [{ start: at, end: at, before: `<img src="${source}`, meaning: 'open', after }];
  }

  #apply(text: string, edits: Edit[]): SlottedText {
    const pieces: SlottedText = [];
    let from = 0;
    for (const { start, end, before, meaning, after } of edits.toSorted((a, b) => a.start - b.start)) {
      pieces.push(text.slice(from, start) + before, this.#slot(meaning), after);
      from = end;
    }
    pieces.push(text.slice(from));
    return pieces;
  }

  #slot(meaning: Meaning): Slot {
    this.#meanings.push(meaning);
    return { slot: this.#meanings.length - 1 };
  }
}

const ownPages = /^\/(?:[ocu]|view|report)\//;

/** The URL a browser would follow, normalised; undefined when it is not tracked. */
function trackable(url: string, baseHref: string): string | undefined {
  const text = url.trim();
  if (!/^https?:\/\//i.test(text) || text.length > maxTargetLength) return undefined;
  // It contains a placeholder that is replaced later.
  if (text.includes('{{') && text.match(unsubscribePlaceholder)) return undefined;
  const parsed = URL.parse(text);
  if (!parsed) return undefined;
  const isOurs = parsed.href.startsWith(`${baseHref}/`) && ownPages.test(parsed.href.slice(baseHref.length));
  return isOurs ? undefined : parsed.href;
}
