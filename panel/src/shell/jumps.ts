import type { PageName } from '../parts/app/places.ts';

/** After `g`. */
export const jumps: Readonly<Record<string, PageName>> = {
  o: 'overview',
  m: 'mails',
  x: 'sandbox',
  a: 'activity',
  q: 'queue',
  d: 'domains',
  e: 'senders',
  t: 'templates',
  s: 'suppressions',
  c: 'consent',
  f: 'forms',
  w: 'webhooks',
  k: 'api_keys',
  r: 'rights',
};

const wait_ms = 1_500;

/** The keys of a jump as they come: `g`, and soon after it the letter of a page. */
export class JumpKeys {
  #began_at: number | undefined;

  press(key: string, at: number): PageName | undefined {
    const isSecond = this.#began_at !== undefined && at - this.#began_at <= wait_ms;
    this.#began_at = !isSecond && key === 'g' ? at : undefined;
    return isSecond ? jumps[key] : undefined;
  }
}
