import type { en } from './en/index.ts';
import type { Translation } from './translation.ts';

/** A set of messages: of one page, or of one part that several pages have. */
export type Subject = keyof typeof en;

/** What all languages have, by subject. */
export type Vocabulary = {
  [Name in Subject]: Translation<Awaited<ReturnType<(typeof en)[Name]>>>;
};

/** A language that lacks a message fails the type check. */
export type Loaders = { [Name in Subject]: () => Promise<Vocabulary[Name]> };
