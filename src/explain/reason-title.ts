import type { Language } from '../base/http/preferred-language.ts';
import { type Reason, reasons } from '../events/index.ts';
import { causeOfReason } from './causes.ts';
import { vocabularies } from './words/vocabulary.ts';

/** A reason of the log in a few words, to follow a colon; a reason of another version as it is. */
export function reasonTitle(reason: string, language: Language): string {
  if (!(reasons as readonly string[]).includes(reason)) return reason;
  return vocabularies[language].causes[causeOfReason(reason as Reason)].title;
}
