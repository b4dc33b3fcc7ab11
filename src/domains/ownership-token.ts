import { randomBytes } from 'node:crypto';

/** 130 random bits as one DNS label in base32, since DNS is case-insensitive. */
export function newOwnershipToken(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(randomBytes(26), (byte) => alphabet[byte % 32]).join('');
}
