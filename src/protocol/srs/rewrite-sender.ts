import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * The sender rewriting scheme: a forwarded mail goes out from the forwarder's domain, so that SPF passes, and its return
 * path says where a bounce belongs. `SRS0=<mac>=<day>=<domain>=<local>` is a first forward, `SRS1=<mac>=<domain>==…` one
 * of a mail that another forwarder had rewritten: the chain stays two hops long, however many there are.
 */
export interface SenderRewriter {
  /** Undefined for an address that cannot be rewritten within RFC 5321 §4.5.3.1.1. */
  forward: (sender: string) => string | undefined;
  /** The address that a rewritten one stands for; undefined when it is forged, expired or of another shape. */
  reverse: (address: string) => string | undefined;
}

export interface SenderRewriting {
  /** Of the forwarder, in A-labels. */
  domain: string;
  key: KeyObject;
  now: () => Date;
}

/** RFC 4648 §6: addresses may come back in either case. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const macLength = 8;
const daysKnown = 1024;
/** Servers try for five days; some reports come later. */
const validDays = 21;
const longestLocalPart = 64;
const firstForm = /^srs0[=+-]([a-z2-7]{8})=([a-z2-7]{2})=([^=\s<>@]{1,255})=([^\s<>@]{1,255})$/i;
const secondForm = /^srs1[=+-]([a-z2-7]{8})=([^=\s<>@]{1,255})=([=+-][^\s<>@]{1,255})$/i;
const foreignFirst = /^srs0([=+-].{1,255})$/i;
const foreignSecond = /^srs1[=+-][^=\s]{1,64}=([^=\s]{1,255})=([=+-].{1,255})$/i;

export function createSenderRewriter({ domain, key, now }: SenderRewriting): SenderRewriter {
  const macOf = (text: string): string =>
    base32(createHmac('sha256', key).update(text.toLowerCase()).digest());
  const isSigned = (mac: string, text: string): boolean =>
    timingSafeEqual(Buffer.from(macOf(text)), Buffer.from(mac.toLowerCase()));

  return {
    forward(sender) {
      const at = sender.lastIndexOf('@');
      const [local, host] = [sender.slice(0, at), sender.slice(at + 1)];
      if (at < 1 || !/^[^\s<>@"]+$/.test(local) || !/^[\w.-]+$/.test(host)) return undefined;
      const rewritten =
        host.toLowerCase() === domain ? local : rewrite(local, host, { macOf, day: dayOf(now()) });
      return rewritten.length > longestLocalPart ? undefined : `${rewritten}@${domain}`;
    },
    reverse(address) {
      const at = address.lastIndexOf('@');
      if (address.slice(at + 1).toLowerCase() !== domain) return undefined;
      const name = address.slice(0, at);
      const [, mac = '', day = '', host = '', local = ''] = firstForm.exec(name) ?? [];
      if (mac !== '')
        return isSigned(mac, `${day}${host}${local}`) && isRecent(day, now())
          ? `${local}@${host}`
          : undefined;
      const [, second = '', first = '', rest = ''] = secondForm.exec(name) ?? [];
      return second !== '' && isSigned(second, `${first}${rest}`) ? `SRS0${rest}@${first}` : undefined;
    },
  };
}

interface Signing {
  macOf: (text: string) => string;
  day: string;
}

function rewrite(local: string, host: string, { macOf, day }: Signing): string {
  const [, again = '', rest = ''] = foreignSecond.exec(local) ?? [];
  if (again !== '') return `SRS1=${macOf(`${again}${rest}`)}=${again}=${rest}`;
  const [, first = ''] = foreignFirst.exec(local) ?? [];
  if (first !== '') return `SRS1=${macOf(`${host}${first}`)}=${host}=${first}`;
  return `SRS0=${macOf(`${day}${host}${local}`)}=${day}=${host}=${local}`;
}

function base32(octets: Buffer): string {
  // One letter takes the low five bits of an octet: eight letters are 40 bits of the MAC.
  return Array.from(octets.subarray(0, macLength), (octet) => alphabet[octet & 31]).join('');
}

const dayNumber = (date: Date): number => Math.floor(date.getTime() / 86_400_000) % daysKnown;

function dayOf(date: Date): string {
  const day = dayNumber(date);
  return `${alphabet[day >> 5] ?? ''}${alphabet[day & 31] ?? ''}`;
}

function isRecent(text: string, now: Date): boolean {
  const [high = '', low = ''] = text.toLowerCase();
  const day = alphabet.indexOf(high) * 32 + alphabet.indexOf(low);
  return (dayNumber(now) - day + daysKnown) % daysKnown <= validDays;
}
