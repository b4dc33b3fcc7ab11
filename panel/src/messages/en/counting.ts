import { countingIn } from '../counting.ts';

const english = countingIn('en');

/** `1 mail`, `40 mails`. */
export const counted = (count: number, one: string, other: string): string =>
  english.counted(count, { one, other });

/** What agrees with a number that stands elsewhere. */
export const plural = (count: number, one: string, other: string): string =>
  english.plural(count, { one, other });

export const { number } = english;
