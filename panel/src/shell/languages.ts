import { createStore, useStore } from '../api/store.ts';

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

const kept = 'chasqui-language';
const known = (value: string | null): Language | undefined => languages.find((each) => each === value);

function preferred(): Language {
  const spoken = navigator.languages
    .map((each) => known(each.slice(0, 2)))
    .find((each) => each !== undefined);
  return known(localStorage.getItem(kept)) ?? spoken ?? 'en';
}

export const language = createStore<Language>(preferred());
document.documentElement.lang = language.get();

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(kept, chosen);
  document.documentElement.lang = chosen;
  language.set(chosen);
}

export const useLanguage = (): Language => useStore(language);

/** The same words in the other language: a text for a text, a function of the same values for a function. */
type Same<Words> = {
  [Name in keyof Words]: Words[Name] extends string
    ? string
    : Words[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<Words[Name]>;
};

export interface Dictionary<Words> {
  en: Words;
  es: Same<Words>;
}

/** The words of a page in both languages; one that is missing fails the type check. */
export function dictionary<Words extends object>(words: Dictionary<Words>): Dictionary<Words> {
  return words;
}

export function useWords<Words>(words: Dictionary<Words>): Same<Words> {
  return words[useLanguage()] as Same<Words>;
}
