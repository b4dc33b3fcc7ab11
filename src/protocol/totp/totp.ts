import { createHmac, timingSafeEqual } from 'node:crypto';

/** What every authenticator app can do (RFC 6238 with the defaults of RFC 4226): SHA-1, six digits, 30 seconds. */
const stepMs = 30_000;
const digits = 6;
/** Clocks differ, and typing takes time: one step on either side is accepted (RFC 6238 §5.2). */
const toleratedSteps = [0, -1, 1];

/** RFC 4226 §5.3. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac[19] ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / stepMs);
}

/** The time step that the code is of. Undefined for one that is wrong, or of a step that was used before. */
export function findStep(
  secret: Buffer,
  code: string,
  { now, after }: { now: Date; after: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const given = Buffer.from(code);
  return toleratedSteps
    .map((distance) => stepAt(now) + distance)
    .find((step) => step > after && timingSafeEqual(Buffer.from(codeAt(secret, step)), given));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding, as authenticator apps take it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** What a QR code for an authenticator app holds. */
export function otpauthUrl(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
