import { escapeHtml } from '../base/http/html.ts';
import type { MailTokens } from '../mails/index.ts';
import { scanLinks } from '../protocol/html/scan-links.ts';
import type { Slot, SlottedText } from '../protocol/mime/outgoing-message.ts';
import { longest_target, type LinkTarget, type TrackingTokens } from './tracking-token.ts';

export interface Personalisation {
  tokens: MailTokens;
  tracking: TrackingTokens;
  base_url: string;
}

/** What of a message differs from recipient to recipient. */
type Meaning = 'open' | 'unsubscribe' | LinkTarget;

/** Text to be put in the place of what stands between two offsets: a slot, and what is around it for everyone. */
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
  /** Whether `{{ unsubscribe_url }}` still stands for something; a template has been filled in already. */
  fill_placeholders: boolean;
}

/** The one placeholder of content that is no template (contract §8). */
export const unsubscribe_placeholder = /\{\{-?\s*unsubscribe_url\s*-?\}\}/g;
const opt_out = 'data-chq-notrack';
/**
 * Each is signed for each recipient, 5 µs and 200 bytes a link: 24,000 in a message that came in 1.4 KB of gzip, to 50
 * recipients, took 8 s. Those beyond lead where they were written to lead.
 */
export const max_tracked_links = 10_000;

/**
 * The content of one message with slots where recipients differ, and their values: links that lead through us, the
 * pixel, the way out. Everything else stays as it was written, to the byte.
 */
export class PersonalContent {
  readonly #with: Personalisation;
  readonly #base_in_html: string;
  /** As a browser writes it, to tell links of ours. */
  readonly #base_href: string;
  readonly #meanings: Meaning[] = [];

  constructor(personalisation: Personalisation) {
    this.#with = personalisation;
    this.#base_in_html = escapeHtml(personalisation.base_url);
    this.#base_href = new URL(personalisation.base_url).href.replace(/\/$/, '');
  }

  /** HTML with tracked links and pixel, as far as they are switched on. */
  html(html: string, { track_opens, track_clicks, fill_placeholders }: Switches): SlottedText {
    const edits = fill_placeholders ? this.#placeholders(html, this.#base_in_html) : [];
    if (track_opens || track_clicks) {
      const { links, body_end } = scanLinks(html, { opt_out });
      if (track_clicks) {
        const tracked = links.slice(0, max_tracked_links);
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

  /** What the slots hold for one mail. */
  valuesFor(mailId: string): (slot: number) => string {
    const { tokens, tracking } = this.#with;
    const tracked = tracking.of(mailId);
    return (slot) => {
      const meaning = this.#meanings[slot];
      if (meaning === undefined) throw new RangeError(`no slot ${slot}`);
      if (meaning === 'open') return tracked.open();
      return meaning === 'unsubscribe' ? tokens.make('unsubscribe', mailId) : tracked.click(meaning);
    };
  }

  #placeholders(text: string, base_url: string): Edit[] {
    // Hardly any content has these, where letters are everywhere: looking for the name took 9 µs in 20 KB, this 0.3.
    if (!text.includes('{{')) return [];
    return [...text.matchAll(unsubscribe_placeholder)].map(({ index, 0: { length } }) => ({
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

  /** Without a size for those who show no images; none beside one that is ours already. */
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

/** Where a browser would go by this link, as it would write it; undefined for what is not to be tracked. */
function trackable(url: string, base_href: string): string | undefined {
  const text = url.trim();
  if (!/^https?:\/\//i.test(text) || text.length > longest_target) return undefined;
  // It still stands for something else.
  if (text.includes('{{') && text.match(unsubscribe_placeholder)) return undefined;
  const parsed = URL.parse(text);
  if (!parsed) return undefined;
  const isOurs =
    parsed.href.startsWith(`${base_href}/`) && ownPages.test(parsed.href.slice(base_href.length));
  return isOurs ? undefined : parsed.href;
}
