import { randomInt } from 'node:crypto';
import { newToken } from '../base/secrets.ts';

const prefix = 'chq';
const id_alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const id_length = 16;
const form = /^chq\.([a-z0-9]{16})\.([A-Za-z0-9_-]{43})$/;

export interface ApiKeyParts {
  id: string;
  token: string;
}

/** `chq.<key_id>.<token>`: the id finds the row, the token authenticates. */
export function newApiKey(): ApiKeyParts {
  return { id: newKeyId(), token: newToken() };
}

export function newKeyId(): string {
  return Array.from({ length: id_length }, () => id_alphabet[randomInt(id_alphabet.length)]).join('');
}

export function formatApiKey({ id, token }: ApiKeyParts): string {
  return `${prefix}.${id}.${token}`;
}

export function parseApiKey(text: string): ApiKeyParts | undefined {
  const match = form.exec(text);
  return match?.[1] && match[2] ? { id: match[1], token: match[2] } : undefined;
}
