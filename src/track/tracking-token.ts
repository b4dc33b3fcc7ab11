import { timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';
import { ShortHmac } from '../base/short-hmac.ts';

/** A decoded token: an open (`url` null) or a click. */
export type TrackedVisit = { mail_id: string; url: string | null };

/** The first byte: version and kind of the token. The scheme of a target is encoded here. */
const open_mark = 0x10;
const schemes = new Map([
  [0x11, 'http://'],
  [0x12, 'https://'],
]);

/** The kind and the id of the mail. */
const subject_bytes = 1 + 16;
const mac_bytes = 10;
/** A multiple of three, so that head and target can be base64-encoded separately and concatenated. */
const head_bytes = subject_bytes + mac_bytes;
const head_characters = (head_bytes / 3) * 4;

/** Some mail clients cut longer URLs; such links are not tracked. */
export const max_target_length = 1_500;
const max_token_length = head_characters + Math.ceil((max_target_length * 4) / 3);
/** As `new URL(…).href` prints it: printable ASCII, safe in a header. */
const targetForm = /^https?:\/\/[!-~]+$/;

/** A target encoded once for all recipients; only the head of its token differs. */
export interface LinkTarget {
  mark: number;
  bytes: Buffer;
  tail: string;
}

/**
 * Tokens of tracked links and pixels: mail id and target with a MAC. They need no look-up, so links work after
 * retention and while the database is down, and cannot be forged. They contain no address.
 */
export class TrackingTokens {
  readonly #hmac: ShortHmac;

  constructor(secret: RootSecret) {
    this.#hmac = new ShortHmac(secret.deriveKey('tracking-token'), max_token_length);
  }

  /** Undefined unless it is an http or https URL of bounded length, normalised. */
  target(url: string): LinkTarget | undefined {
    if (url.length > max_target_length || !targetForm.test(url) || !URL.canParse(url)) return undefined;
    const mark = url.startsWith('https://') ? 0x12 : 0x11;
    const bytes = Buffer.from(url.slice(schemes.get(mark)?.length), 'latin1');
    return { mark, bytes, tail: bytes.toString('base64url') };
  }

  /** Tokens of one mail: that of its pixel, and heads of its links, to be followed by their `tail`. */
  of(mailId: string): { open(): string; click(target: LinkTarget): string } {
    const head = Buffer.allocUnsafe(head_bytes);
    head.write(mailId.replaceAll('-', ''), 1, 'hex');
    return {
      open: () => this.#write(head, open_mark, none),
      click: ({ mark, bytes }) => this.#write(head, mark, bytes),
    };
  }

  /** Undefined for a token that is invalid or was changed. */
  read(token: string): TrackedVisit | undefined {
    if (token.length < head_characters || token.length > max_token_length) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // Decoding ignores invalid characters and unused bits, so compare with the re-encoded text.
    if (bytes.toString('base64url') !== token) return undefined;
    const [mark = 0] = bytes;
    const target = bytes.subarray(head_bytes);
    const mac = Buffer.from(this.#mac(bytes, target), 'latin1');
    if (!timingSafeEqual(mac, bytes.subarray(subject_bytes, head_bytes))) return undefined;
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

  /** The subject has a fixed length, so that no byte can move between subject and target. */
  #mac(subject: Buffer, target: Buffer): string {
    return this.#hmac.digest(subject.subarray(0, subject_bytes), target).slice(0, mac_bytes);
  }
}

const none = Buffer.alloc(0);

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
