import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

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
const form = new RegExp(
  `^[\\w-]{${head_characters},${head_characters + Math.ceil((longest_target * 4) / 3)}}$`,
);
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
  readonly #key: KeyObject;

  constructor(secret: RootSecret) {
    this.#key = createSecretKey(secret.deriveKey('tracking-token'));
  }

  /** Undefined for what is no target: only http and https, of bounded length, as a browser writes it. */
  target(url: string): LinkTarget | undefined {
    if (url.length > longest_target || !isTarget(url)) return undefined;
    const mark = url.startsWith('https://') ? 0x12 : 0x11;
    const bytes = Buffer.from(url.slice(schemes.get(mark)?.length), 'latin1');
    return { mark, bytes, tail: bytes.toString('base64url') };
  }

  /** The whole token of a pixel. */
  open(mailId: string): string {
    return this.#head(subjectOf(open_mark, mailId), none);
  }

  /** The head of the token of a link; its target's `tail` follows. */
  click(mailId: string, { mark, bytes }: LinkTarget): string {
    return this.#head(subjectOf(mark, mailId), bytes);
  }

  /** What a token says; undefined for one that is not ours, whole and untouched. */
  read(token: string): TrackedVisit | undefined {
    if (!form.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // The last character may carry bits that stand for nothing.
    if (token.length % 4 !== 0 && bytes.toString('base64url') !== token) return undefined;
    const [mark = 0] = bytes;
    const target = bytes.subarray(head_bytes);
    const mac = this.#mac(bytes.subarray(0, subject_bytes), target);
    if (!timingSafeEqual(mac, bytes.subarray(subject_bytes, head_bytes))) return undefined;
    const mail_id = bytes
      .toString('hex', 1, subject_bytes)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    if (mark === open_mark) return target.length === 0 ? { mail_id, url: null } : undefined;
    const url = `${schemes.get(mark) ?? ''}${target.toString('latin1')}`;
    return isTarget(url) ? { mail_id, url } : undefined;
  }

  #head(subject: Buffer, target: Buffer): string {
    return Buffer.concat([subject, this.#mac(subject, target)]).toString('base64url');
  }

  /** The subject has one length, so that nothing can move from it to the target or back. */
  #mac(subject: Buffer, target: Buffer): Buffer {
    const mac = createHmac('sha256', this.#key).update(subject).update(target);
    return mac.digest().subarray(0, mac_bytes);
  }
}

const none = Buffer.alloc(0);

function subjectOf(mark: number, mailId: string): Buffer {
  const subject = Buffer.allocUnsafe(subject_bytes);
  subject[0] = mark;
  subject.write(mailId.replaceAll('-', ''), 1, 'hex');
  return subject;
}

function isTarget(url: string): boolean {
  return targetForm.test(url) && URL.canParse(url);
}
