/** A piece of an address header (RFC 5322 §3.2), comments and blanks left out. */
export interface AddressToken {
  kind: 'atom' | 'quoted' | 'literal' | '<' | '>' | '@' | ',' | ';' | ':' | 'end' | 'fault';
  /** Of a quoted string what it stands for, without quotes and backslashes. */
  text: string;
  /** What the comments before it say. */
  comment: string;
}

// An atom with the dots of a dot-atom or of an obsolete phrase, and what RFC 6532 adds outside ASCII.
const atom = /[^\x00-\x20"(),:;<>@[\\\]\x7f]+/y; // oxlint-disable-line no-control-regex
const blanks = /[ \t\r\n]+/y;
const quoted = /"((?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[\x20-\x7e\t\u0080-\uffff])*)"/y; // oxlint-disable-line no-control-regex
const literal = /\[([^\x00-\x1f\x7f[\]\\]*)\]/y; // oxlint-disable-line no-control-regex
const plainComment = /[^()\\]+/y;
const specials = new Set(['<', '>', '@', ',', ';', ':'] as const);

/** A thousand addresses with long names have a fifth of it. */
const maxTokens = 50_000;

/**
 * Reads an address header token by token, in time that grows with its length. What is not a token (a quote or comment that is
 * never closed, a control character, a token too many) is a `fault`, and so is everything after it.
 */
export class AddressTokens {
  readonly #text: string;
  #at = 0;
  #left = maxTokens;
  #next: AddressToken;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  /** What comes next, which stays next. */
  peek(): AddressToken {
    return this.#next;
  }

  take(): AddressToken {
    const taken = this.#next;
    if (taken.kind !== 'end' && taken.kind !== 'fault') this.#next = this.#read();
    return taken;
  }

  #read(): AddressToken {
    let comment = '';
    this.#left -= 1;
    if (this.#left < 0) return { kind: 'fault', text: '', comment };
    for (;;) {
      this.#match(blanks);
      if (this.#text[this.#at] !== '(') break;
      const found = this.#readComment();
      if (found === undefined) return { kind: 'fault', text: '', comment };
      comment += comment === '' ? found : ` ${found}`;
    }
    return { ...this.#readToken(), comment };
  }

  #readToken(): Omit<AddressToken, 'comment'> {
    const character = this.#text[this.#at];
    if (character === undefined) return { kind: 'end', text: '' };
    if (specials.has(character as '<')) {
      this.#at += 1;
      return { kind: character as '<', text: character };
    }
    const word = this.#match(atom)?.[0];
    if (word !== undefined) return { kind: 'atom', text: word };
    const inQuotes = character === '"' ? this.#match(quoted)?.[1] : undefined;
    if (inQuotes !== undefined) return { kind: 'quoted', text: inQuotes.replaceAll(/\\(.)/gs, '$1') };
    const inBrackets = character === '[' ? this.#match(literal)?.[1] : undefined;
    return inBrackets === undefined ? { kind: 'fault', text: '' } : { kind: 'literal', text: inBrackets };
  }

  /** Comments nest (RFC 5322 §3.2.2). Undefined when it is never closed. */
  #readComment(): string | undefined {
    let depth = 0;
    let comment = '';
    do {
      const character = this.#text[this.#at];
      if (character === undefined) return undefined;
      const plain = this.#match(plainComment)?.[0];
      if (plain !== undefined) {
        comment += plain;
        continue;
      }
      if (character === '\\') comment += this.#text[this.#at + 1] ?? '';
      else if (depth > 0 && !(character === ')' && depth === 1)) comment += character;
      depth += character === '(' ? 1 : character === ')' ? -1 : 0;
      this.#at += character === '\\' ? 2 : 1;
    } while (depth > 0);
    return comment;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}
