import type { KeyObject } from 'node:crypto';
import { hashBody } from '../dkim/hash-body.ts';
import { signOctets } from '../dkim/sign-message.ts';
import { namedFields, relaxField } from '../dkim/signed-fields.ts';
import { readArcSets, type ArcSet } from './read-arc-sets.ts';

/** What the chain that came with the message was worth: RFC 8617 §4.1.3. */
export type ChainValidation = 'none' | 'pass' | 'fail';

export interface SealRequest {
  /** The header block with CRLF line ends and without the blank line after it. */
  header: Buffer;
  body: Buffer;
  chain: ChainValidation;
  /** Of Authentication-Results, beginning with the name of the server that checked. */
  results: string;
  domain: string;
  selector: string;
  /** RSA: RFC 8617 §4.1.3 names no other algorithm that verifiers must know. */
  key: KeyObject;
  now: Date;
}

/** RFC 8617 §5.1.1: more sets are not verified. */
const mostSets = 50;

/**
 * What readers see, and what names the message, where it occurs: a server on the way may add a Date, and the one that sends
 * this adds a DKIM-Signature of its own.
 */
const sealedFields = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'dkim-signature',
];
/** Signed once more than they occur: a second one is what some readers would show. */
const oversigned: ReadonlySet<string> = new Set(['from', 'subject']);

/**
 * The three fields of one more set, to be put before the header (RFC 8617 §5.1); undefined where none may be added:
 * a chain that already failed, is full, or cannot be read.
 */
export async function sealMessage(request: SealRequest): Promise<string | undefined> {
  const sets = readArcSets(request.header.toString('latin1'));
  if (sets === undefined || sets.length >= mostSets || hasFailed(sets)) return undefined;
  // Without sets there is nothing to validate, whatever was concluded.
  const cv = sets.length === 0 ? 'none' : request.chain === 'pass' ? 'pass' : 'fail';
  const i = sets.length + 1;
  const results = `ARC-Authentication-Results: i=${i}; ${plain(request.results)}`;
  const signature = await messageSignature(request, i);
  // A failed chain seals its own set only (§5.1.2): nothing can vouch for the others.
  const covered = cv === 'fail' ? [] : sets.flatMap((set) => [set.results, set.signature, set.seal]);
  const seal = await chainSeal(request, { i, cv, covered: [...covered, results, signature] });
  return `${seal}\r\n${signature}\r\n${results}\r\n`;
}

const hasFailed = (sets: readonly ArcSet[]): boolean => sets.at(-1)?.cv === 'fail';

async function messageSignature({ header, body, key, ...rest }: SealRequest, i: number): Promise<string> {
  const { names, canonical } = namedFields(header, namesIn(header.toString('latin1')));
  const unsigned = [
    `ARC-Message-Signature: i=${i}; a=rsa-sha256; c=relaxed/simple; t=${seconds(rest.now)};`,
    ` d=${plainName(rest.domain)}; s=${plainName(rest.selector)};`,
    ` h=${foldNames(names)};`,
    ` bh=${hashBody(body)};`,
    ' b=',
  ].join('\r\n');
  return unsigned + wrapped(await signOctets(key, canonical + relaxField(unsigned)));
}

function namesIn(header: string): string[] {
  const names = header
    .split(/\r\n(?![ \t])/)
    .map((field) => field.slice(0, field.indexOf(':')).trim().toLowerCase());
  return sealedFields.flatMap((name) => {
    const found = names.filter((each) => each === name);
    return found.length > 0 && oversigned.has(name) ? [...found, name] : found;
  });
}

interface Chain {
  i: number;
  cv: ChainValidation;
  covered: string[];
}

async function chainSeal(
  { key, domain, selector, now }: SealRequest,
  { i, cv, covered }: Chain,
): Promise<string> {
  const unsigned = [
    `ARC-Seal: i=${i}; a=rsa-sha256; t=${seconds(now)}; cv=${cv};`,
    ` d=${plainName(domain)}; s=${plainName(selector)};`,
    ' b=',
  ].join('\r\n');
  const canonical = covered.map((field) => `${relaxField(field)}\r\n`).join('');
  return unsigned + wrapped(await signOctets(key, canonical + relaxField(unsigned)));
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function plainName(name: string): string {
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) throw new TypeError(`not a domain or selector: ${name}`);
  return name;
}

/** In one field, folded at its semicolons. */
function plain(results: string): string {
  if (/[\r\n]/.test(results)) throw new TypeError('authentication results have line ends');
  return results.replaceAll('; ', ';\r\n ');
}

function foldNames(names: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < names.length; at += 5) lines.push(names.slice(at, at + 5).join(':'));
  return lines.join(':\r\n ');
}

const wrapped = (signature: string): string => signature.replaceAll(/.{72}(?=.)/g, '$&\r\n ');
