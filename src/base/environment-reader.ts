import { isIP } from 'node:net';

export type EnvironmentReader = ReturnType<typeof environmentReader>;

/** Reads variables one by one. What is wrong with one is added to `problems`, and its fallback is returned. */
export function environmentReader(env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const wrong = <T>(name: string, expected: string, fallback: T): T => {
    problems.push(`${name} must be ${expected}.`);
    return fallback;
  };
  const text = (name: string, fallback: string): string => given(name) ?? fallback;
  const list = (name: string): string[] =>
    text(name, '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  return {
    given,
    wrong,
    text,
    list,
    addresses(name: string, fallback: string[]): string[] {
      const addresses = list(name);
      if (!addresses.every((address) => isIP(address) !== 0)) {
        return wrong(name, 'a comma list of IP addresses, like 203.0.113.5,2001:db8::5', fallback);
      }
      return addresses.length > 0 ? addresses : fallback;
    },
    integer(name: string, fallback: number, [min, max]: [number, number]): number {
      const value = given(name);
      if (value === undefined) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max
        ? number
        : wrong(name, `a whole number from ${min} to ${max}`, fallback);
    },
    boolean(name: string, fallback: boolean): boolean {
      const value = given(name)?.toLowerCase();
      if (value === undefined) return fallback;
      return value === 'true' || value === 'false'
        ? value === 'true'
        : wrong(name, 'true or false', fallback);
    },
    /** On unless its value is empty or says otherwise. */
    switch(name: string, fallback: boolean): boolean {
      if (env[name] === undefined) return fallback;
      const value = env[name].trim().toLowerCase();
      if (['', 'off', 'false'].includes(value)) return false;
      return ['on', 'true'].includes(value) || wrong(name, 'on, off or empty', fallback);
    },
    choice<T extends string>(name: string, fallback: T, choices: T[]): T {
      const value = text(name, fallback);
      return (
        choices.find((choice) => choice === value) ?? wrong(name, `one of ${choices.join(', ')}`, fallback)
      );
    },
    url(name: string, fallback: string, protocol: RegExp): string {
      const value = text(name, fallback);
      return URL.canParse(value) && protocol.test(new URL(value).protocol)
        ? value
        : wrong(name, `a URL like ${fallback || 'postgresql://user@host/database'}`, fallback);
    },
    /** RFC 8555 §6.1 asks for https; a test bed has its authority on this machine. */
    authority(name: string): string | undefined {
      const value = given(name);
      return value === undefined || isHttpsOrLocal(value)
        ? value
        : wrong(name, 'a URL like https://acme-v02.api.letsencrypt.org/directory', undefined);
    },
    relay(name: string): string | undefined {
      const value = given(name);
      return value === undefined || isRelay(value)
        ? value
        : wrong(name, 'a URL like smtp://user:password@relay.example.com:587, percent-encoded', undefined);
    },
    headers(name: string): Record<string, string> {
      const pairs = list(name).map((item) => /^([\w-]+)=([\x20-\x7e]+)$/.exec(item));
      return pairs.every((pair) => pair !== null)
        ? Object.fromEntries(pairs.map(([, key = '', value = '']) => [key.toLowerCase(), value]))
        : wrong(name, 'a comma list of name=value, like authorization=Bearer token', {});
    },
    domain(name: string, fallback: string): string {
      const value = text(name, fallback).toLowerCase().replace(/\.$/, '');
      return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(value)
        ? value
        : wrong(name, 'a domain name like mail.example.com', fallback);
    },
    servers(name: string): string[] {
      const servers = list(name);
      const valid = servers.every((server) => {
        const [, v4, v6 = '', port = '53'] = /^(?:([\d.]+)|\[(.+)\])(?::(\d+))?$/.exec(server) ?? [];
        return (
          (v4 === undefined ? isIP(v6) === 6 : isIP(v4) === 4) && Number(port) > 0 && Number(port) < 65536
        );
      });
      return valid ? servers : wrong(name, 'a comma list of ip:port, like 127.0.0.1:53,[::1]:53', []);
    },
    proxies(name: string): boolean | number | string[] {
      const value = text(name, 'false').toLowerCase();
      if (value === 'true' || value === 'false') return value === 'true';
      if (/^\d{1,2}$/.test(value)) return Number(value);
      const expected = 'true, false, a number of hops or a comma list of addresses and ranges of proxies';
      return list(name).every(isRange) ? list(name) : wrong(name, expected, false);
    },
  };
}

export function isHttpsOrLocal(text: string): boolean {
  return /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(text) && URL.canParse(text);
}

function isRelay(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isEncoded = (part: string): boolean => !/%(?![0-9a-f]{2})/i.test(part);
  return /^smtps?:$/.test(protocol) && hostname !== '' && isEncoded(username + password);
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const short = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
  return version !== 0 && short && rest.length === 0;
}
