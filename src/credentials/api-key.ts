import { randomInt } from 'node:crypto';
import { newToken } from '../base/secrets.ts';

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 16;
const api_key = /^chq\.([a-z0-9]{16})\.([A-Za-z0-9_-]{43})$/;
const operator_key = /^chqop\.([a-z0-9]{16})\.([A-Za-z0-9_-]{43})$/;

export interface ApiKeyParts {
  id: string;
  token: string;
}

/** `chq.<key_id>.<token>`: the id finds the row, the token authenticates. */
export function newApiKey(): ApiKeyParts {
  return { id: newKeyId(), token: newToken() };
}

export function newKeyId(): string {
  return Array.from({ length: idLength }, () => idAlphabet[randomInt(idAlphabet.length)]).join('');
}

export function formatApiKey(parts: ApiKeyParts): string {
  return format('chq', parts);
}

export function parseApiKey(text: string): ApiKeyParts | undefined {
  return parse(api_key, text);
}

/** `chqop.<key_id>.<token>`: an API key does not pass for one, nor the other way round. */
export function formatOperatorKey(parts: ApiKeyParts): string {
  return format('chqop', parts);
}

export function parseOperatorKey(text: string): ApiKeyParts | undefined {
  return parse(operator_key, text);
}

function format(prefix: string, { id, token }: ApiKeyParts): string {
  return `${prefix}.${id}.${token}`;
}

function parse(form: RegExp, text: string): ApiKeyParts | undefined {
  const match = form.exec(text);
  return match?.[1] && match[2] ? { id: match[1], token: match[2] } : undefined;
}
