import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

/** A decoded token: an open (`url` null) or a click. */
export interface TrackedVisit {
  mail_id: string;
  url: string | null;
  /** Of a click; null in links of earlier versions. */
  instance_id: number | null;
}

const macBytes = 10;
/** The kind, the id of the mail, and that of the instance in links. */
const mailBytes = 1 + 16;
const instanceBytes = 6;

/** What the first byte says: version and kind of the token. The scheme of a target is encoded here. */
interface Kind {
  scheme: string | undefined;
  subject_bytes: number;
}

const openMark = 0x10;
const kinds = new Map<number, Kind>([
  [openMark, { scheme: undefined, subject_bytes: mailBytes }],
  // Of earlier versions, in mail that was delivered long ago.
  [0x11, { scheme: 'http://', subject_bytes: mailBytes }],
  [0x12, { scheme: 'https://', subject_bytes: mailBytes }],
  [0x13, { scheme: 'http://', subject_bytes: mailBytes + instanceBytes }],
  [0x14, { scheme: 'https://', subject_bytes: mailBytes + instanceBytes }],
]);

/** Multiples of three, so that head and target can be base64-encoded separately and concatenated. */
const openBytes = mailBytes + macBytes;
const clickBytes = mailBytes + instanceBytes + macBytes;
const charactersOf = (bytes: number): number => (bytes / 3) * 4;

/** Some mail clients cut longer URLs; such links are not tracked. */
export const maxTargetLength = 1_500;
const maxTokenLength = charactersOf(clickBytes) + Math.ceil((maxTargetLength * 4) / 3);
/** As `new URL(…).href` prints it: printable ASCII, safe in a header. */
const targetForm = /^https?:\/\/[!-~]+$/;

/** A target encoded once for all recipients; only the head of its token differs. */
export interface LinkTarget {
  mark: number;
  bytes: Buffer;
  tail: string;
}

/** The mail that a token belongs to. */
interface TrackedMail {
  mail_id: string;
  instance_id: number;
}

/**
 * Tokens of tracked links and pixels with a MAC: mail id, and in links instance id and target. They need no look-up, so
 * links work after retention and while the database is down, and cannot be forged. They contain no address.
 */
export class TrackingTokens {
  readonly #key: KeyObject;

  constructor(secret: RootSecret) {
    this.#key = createSecretKey(secret.deriveKey('tracking-token'));
  }

  /** Undefined unless it is an http or https URL of bounded length, normalised. */
  target(url: string): LinkTarget | undefined {
    if (url.length > maxTargetLength || !targetForm.test(url) || !URL.canParse(url)) return undefined;
    const mark = url.startsWith('https://') ? 0x14 : 0x13;
    const bytes = Buffer.from(url.slice(kinds.get(mark)?.scheme?.length), 'latin1');
    return { mark, bytes, tail: bytes.toString('base64url') };
  }

  /** Tokens of one mail: that of its pixel, and heads of its links, to be followed by their `tail`. */
  of({ mail_id, instance_id }: TrackedMail): { open(): string; click(target: LinkTarget): string } {
    const head = Buffer.allocUnsafe(clickBytes);
    head.write(mail_id.replaceAll('-', ''), 1, 'hex');
    return {
      open: () => this.#write(head.subarray(0, openBytes), openMark, none),
      click: ({ mark, bytes }) => {
        // Here, since the pixel has its MAC in this place.
        head.writeUIntBE(instance_id, mailBytes, instanceBytes);
        return this.#write(head, mark, bytes);
      },
    };
  }

  /** Undefined for a token that is invalid or was changed. */
  read(token: string): TrackedVisit | undefined {
    if (token.length < charactersOf(openBytes) || token.length > maxTokenLength) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // Decoding ignores invalid characters and unused bits, so compare with the re-encoded text.
    if (bytes.toString('base64url') !== token) return undefined;
    const kind = kinds.get(bytes[0] ?? 0);
    if (!kind || bytes.length < kind.subject_bytes + macBytes) return undefined;
    const { scheme, subject_bytes } = kind;
    const target = bytes.subarray(subject_bytes + macBytes);
    const mac = this.#mac(bytes.subarray(0, subject_bytes), target);
    if (!timingSafeEqual(mac, bytes.subarray(subject_bytes, subject_bytes + macBytes))) return undefined;
    const mail_id = uuidOf(bytes.toString('hex', 1, mailBytes));
    const hasInstance = subject_bytes > mailBytes;
    const instance_id = hasInstance ? bytes.readUIntBE(mailBytes, instanceBytes) : null;
    if (scheme === undefined) return target.length === 0 ? { mail_id, instance_id, url: null } : undefined;
    const url = scheme + target.toString('latin1');
    return targetForm.test(url) ? { mail_id, instance_id, url } : undefined;
  }

  #write(head: Buffer, mark: number, target: Buffer): string {
    head[0] = mark;
    const subject = head.subarray(0, head.length - macBytes);
    this.#mac(subject, target).copy(head, subject.length);
    return head.toString('base64url');
  }

  /** The first byte decides the length of the subject, so that no byte can move between subject and target. */
  #mac(subject: Buffer, target: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(subject).update(target).digest().subarray(0, macBytes);
  }
}

const none = Buffer.alloc(0);

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
