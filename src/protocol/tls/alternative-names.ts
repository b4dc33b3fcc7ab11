import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { tagged } from './der.ts';

/** A GeneralName (RFC 5280 section 4.2.1.6). */
export function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return tagged(0x82, Buffer.from(asciiName(name), 'ascii'));
  return tagged(0x87, addressBytes(name));
}

export function asciiName(name: string): string {
  if (isIP(name) !== 0) return name;
  const ascii = domainToASCII(name);
  if (ascii === '') throw new RangeError(`not a host name: ${name}`);
  return ascii;
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // A URL writes every IPv6 address in one form: hexadecimal groups, at most one '::', no dotted end.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0000');
  return Buffer.from([...before, ...zeros, ...after].join(''), 'hex');
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => group.padStart(4, '0'));
}
