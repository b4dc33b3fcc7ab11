import { createStore, useStore } from './store.ts';

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
/** As those who speak it call it. */
export const languageNames: Record<Language, string> = { en: 'English', es: 'Español' };

const kept = 'chasqui-language';
const known = (value: string | null): Language | undefined => languages.find((each) => each === value);

function preferred(): Language {
  const spoken = navigator.languages
    .map((each) => known(each.slice(0, 2)))
    .find((each) => each !== undefined);
  return known(localStorage.getItem(kept)) ?? spoken ?? 'en';
}

/** Of the pages, and of what the service explains. */
export const language = createStore<Language>(preferred());
document.documentElement.lang = language.get();

/** Once its messages are there: `chooseLanguage` of messages/ loads them first. */
export function setLanguage(chosen: Language): void {
  localStorage.setItem(kept, chosen);
  document.documentElement.lang = chosen;
  language.set(chosen);
}

export const useLanguage = (): Language => useStore(language);
