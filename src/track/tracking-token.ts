import { timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';
import { ShortMac } from '../base/short-mac.ts';

/** What a token says: that a mail was opened, or that one of its links was followed, and where that leads. */
export type TrackedVisit = { mail_id: string; url: string | null };

/** The first byte: the form of the token and what it is about. The scheme of a target is said here, not spelled out. */
const open_mark = 0x10;
const schemes = new Map([
  [0x11, 'http://'],
  [0x12, 'https://'],
]);

/** The mark and the identifier of the mail. */
const subject_bytes = 1 + 16;
const mac_bytes = 10;
/** A multiple of three, so that head and target can be encoded apart and put together again as text. */
const head_bytes = subject_bytes + mac_bytes;
const head_characters = (head_bytes / 3) * 4;

/** Longer URLs are cut off by mail programs in use; such links are not tracked. */
export const longest_target = 1_500;
const longest_token = head_characters + Math.ceil((longest_target * 4) / 3);
/** As `new URL(…).href` writes it: printable ASCII, nothing that could end a header line. */
const targetForm = /^https?:\/\/[!-~]+$/;

/** A link with the target encoded: the same for every recipient but for the head of its token. */
export interface LinkTarget {
  mark: number;
  bytes: Buffer;
  /** What follows the head. */
  tail: string;
}

/**
 * Tokens of tracked links and pixels: the mail and the target themselves, with a MAC over both. Nothing has to be
 * looked up to follow one, so links work after retention and while the database is down, and none can be made up to
 * lead elsewhere. They carry no address.
 */
export class TrackingTokens {
  readonly #macs: ShortMac;
  /** The MAC that a token should have, for the moment of comparing. */
  readonly #expected = Buffer.alloc(mac_bytes);

  constructor(secret: RootSecret) {
    this.#macs = new ShortMac(secret.deriveKey('tracking-token'), subject_bytes + longest_target);
  }

  /** Undefined for what is no target: only http and https, of bounded length, as a browser writes it. */
  target(url: string): LinkTarget | undefined {
    if (url.length > longest_target || !targetForm.test(url) || !URL.canParse(url)) return undefined;
    const mark = url.startsWith('https://') ? 0x12 : 0x11;
    const bytes = Buffer.from(url.slice(schemes.get(mark)?.length), 'latin1');
    return { mark, bytes, tail: bytes.toString('base64url') };
  }

  /** The tokens of one mail: the whole one of its pixel, and the heads of its links, which their `tail` follows. */
  of(mailId: string): { open(): string; click(target: LinkTarget): string } {
    const head = Buffer.allocUnsafe(head_bytes);
    head.write(mailId.replaceAll('-', ''), 1, 'hex');
    return {
      open: () => this.#write(head, open_mark, none),
      click: ({ mark, bytes }) => this.#write(head, mark, bytes),
    };
  }

  /** What a token says; undefined for one that is not ours, whole and untouched. */
  read(token: string): TrackedVisit | undefined {
    if (token.length < head_characters || token.length > longest_token) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // Decoding passes over what is not base64url, and over bits of the last character that stand for nothing.
    if (bytes.toString('base64url') !== token) return undefined;
    const [mark = 0] = bytes;
    const target = bytes.subarray(head_bytes);
    this.#expected.write(this.#mac(bytes, target), 'latin1');
    if (!timingSafeEqual(this.#expected, bytes.subarray(subject_bytes, head_bytes))) return undefined;
    const mail_id = uuidOf(bytes.toString('hex', 1, subject_bytes));
    if (mark === open_mark) return target.length === 0 ? { mail_id, url: null } : undefined;
    const url = `${schemes.get(mark) ?? ''}${target.toString('latin1')}`;
    return targetForm.test(url) ? { mail_id, url } : undefined;
  }

  #write(head: Buffer, mark: number, target: Buffer): string {
    head[0] = mark;
    head.write(this.#mac(head, target), subject_bytes, 'latin1');
    return head.toString('base64url');
  }

  /** The subject has one length, so that nothing can move from it to the target or back. */
  #mac(subject: Buffer, target: Buffer): string {
    return this.#macs.latin1(subject.subarray(0, subject_bytes), target).slice(0, mac_bytes);
  }
}

const none = Buffer.alloc(0);

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
