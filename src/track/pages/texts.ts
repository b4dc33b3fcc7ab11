import type { Language } from '../../base/http/preferred-language.ts';
import type { ComplaintType } from '../../restrictions/index.ts';
import { english } from './texts-en.ts';
import { spanish } from './texts-es.ts';

interface PageText {
  title: string;
  text: string;
}

/** Texts of the pages. Functions return plain text, which is escaped as a whole. */
export interface PageTexts {
  delivered_for: (instance: string) => string;
  try_again: string;
  /** The link to the page for privacy requests. */
  your_data: string;
  optional: string;
  unsubscribe: {
    title: string;
    question: (address: string, instance: string) => string;
    other_mail: string;
    reason: string;
    button: string;
    done_title: string;
    done: (address: string, instance: string) => string;
    /** Of a broadcast about one purpose. */
    question_of: (purpose: string, address: string, instance: string) => string;
    done_of: (purpose: string, address: string, instance: string) => string;
    others: string;
    /** Where there is nothing else. */
    or_all: string;
    all: (instance: string) => string;
    others_after: string;
    button_others: string;
    resubscribed_to: (purpose: string, address: string, instance: string) => string;
    /** Before the name of the form for it. */
    update: string;
    mistake: string;
    resubscribe: string;
    resubscribed_title: string;
    resubscribed: (address: string, instance: string) => string;
    unclear: string;
  };
  report: {
    title: string;
    explanation: string;
    what: string;
    types: Record<Exclude<ComplaintType, 'unknown'>, string>;
    missing: string;
    comment: string;
    comment_hint: string;
    button: string;
    done_title: string;
    done: (instance: string) => string;
  };
  view: {
    to: (address: string) => string;
    frame: string;
    no_subject: string;
    gone: PageText;
    disabled: PageText;
    taken_down: PageText;
  };
  /** For links that do not lead on by themselves. */
  link: {
    leads_to: string;
    disabled_title: string;
    disabled: string;
    go_on: (host: string) => string;
    taken_down_title: string;
    taken_down: string;
  };
  not_found: PageText;
  expired: PageText;
  unavailable: PageText;
  too_large: PageText;
  refused: PageText;
  broken: PageText;
}

export const texts: Record<Language, PageTexts> = { en: english, es: spanish };
