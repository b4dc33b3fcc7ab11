import type { Reply } from './reply.ts';

/** The extensions a server offers in its answer to EHLO (RFC 5321 §4.1.1.1), by keyword in upper case. */
export class Capabilities {
  readonly #parameters: ReadonlyMap<string, string>;

  constructor(parameters: ReadonlyMap<string, string> = new Map()) {
    this.#parameters = parameters;
  }

  offers(keyword: string): boolean {
    return this.#parameters.has(keyword);
  }

  /** Octets a message may have (RFC 1870 §4); none when the server sets no fixed limit. */
  get size_limit(): number | undefined {
    const limit = Number(this.#parameters.get('SIZE') ?? '');
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  }

  /** Ways to sign in (RFC 4954 §3), in upper case. */
  get mechanisms(): ReadonlySet<string> {
    return new Set((this.#parameters.get('AUTH') ?? '').toUpperCase().split(' ').filter(Boolean));
  }

  /** As the server wrote them, but for the case of the keywords. */
  get lines(): string[] {
    return [...this.#parameters].map(([keyword, parameters]) => `${keyword} ${parameters}`.trim());
  }
}

/** The first line is the server's name and a greeting, not an extension. */
export function readCapabilities({ lines }: Reply): Capabilities {
  const parameters = lines.slice(1).flatMap((line): [string, string][] => {
    const [, keyword, rest = ''] = /^([a-z0-9][a-z0-9-]*)(?:[ =](.*))?$/i.exec(line.trim()) ?? [];
    return keyword === undefined ? [] : [[keyword.toUpperCase(), rest.trim()]];
  });
  return new Capabilities(new Map(parameters));
}
