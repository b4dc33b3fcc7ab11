import type { Reply } from './reply.ts';

/** Parameters of MAIL, with their defaults. */
export interface MailParameters {
  /** RFC 1870: the size the client announces, in octets. */
  size: number | undefined;
  /** RFC 6152. */
  body: '7bit' | '8bitmime';
  /** RFC 6531. */
  smtputf8: boolean;
}

// RFC 5321 §4.1.2: esmtp-param.
const parameterPattern = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([\x21-\x3c\x3e-\x7e]+))?$/;

const malformed: Reply = { code: 501, enhanced: '5.5.4', text: 'Malformed parameter' };
const unknown: Reply = { code: 555, enhanced: '5.5.4', text: 'Parameter not recognized' };

/** Upper-case keyword to value; undefined for invalid syntax or a duplicate. */
function parseParameters(text: string): Map<string, string | undefined> | undefined {
  const found = new Map<string, string | undefined>();
  if (text.trim() === '') return found;
  if (!text.startsWith(' ')) return undefined;
  for (const word of text.split(' ')) {
    if (word === '') continue;
    const [, keyword, value] = parameterPattern.exec(word) ?? [];
    if (keyword === undefined || found.has(keyword.toUpperCase())) return undefined;
    found.set(keyword.toUpperCase(), value);
  }
  return found;
}

/** The parameters of MAIL, or the reply that refuses them. */
export function parseMailParameters(text: string, allowsAuth: boolean): MailParameters | Reply {
  const parameters: MailParameters = { size: undefined, body: '7bit', smtputf8: false };
  const given = parseParameters(text);
  if (given === undefined) return malformed;
  for (const [keyword, value] of given) {
    if (keyword === 'SIZE') {
      if (value === undefined || !/^\d{1,20}$/.test(value)) return malformed;
      parameters.size = Number(value);
    } else if (keyword === 'BODY') {
      const body = value?.toLowerCase();
      if (body !== '7bit' && body !== '8bitmime') return malformed;
      parameters.body = body;
    } else if (keyword === 'SMTPUTF8') {
      if (value !== undefined) return malformed;
      parameters.smtputf8 = true;
    } else if (keyword !== 'AUTH' || !allowsAuth) {
      // AUTH=<…> must be accepted where AUTH is offered (RFC 4954 §5); it is ignored.
      return unknown;
    } else if (value === undefined) return malformed;
  }
  return parameters;
}

/** RCPT has no parameters here: DSN (RFC 3461) is not offered. */
export function refuseRcptParameters(text: string): Reply | undefined {
  const given = parseParameters(text);
  if (given === undefined) return malformed;
  return given.size > 0 ? unknown : undefined;
}
