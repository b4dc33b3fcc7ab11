import { use } from 'react';
import { language, setLanguage, useLanguage, type Language } from '../api/language.ts';
import { retryingLoad } from '../api/retrying-load.ts';
import type { Subject, Vocabulary } from './vocabulary.ts';

const loading = new Map<string, Promise<Vocabulary[Subject]>>();
const asked = new Set<Subject>();

function messagesIn(chosen: Language, subject: Subject): Promise<Vocabulary[Subject]> {
  const key = `${chosen} ${subject}`;
  const known = loading.get(key);
  if (known) return known;
  const file = subject.replaceAll('_', '-');
  const messages = retryingLoad(async () => {
    // One folder a language, one file a subject: only what is said on the page, in the language of the reader.
    const loaded = (await import(`./${chosen}/${file}.ts`)) as { messages: Vocabulary[Subject] };
    return loaded.messages;
  })();
  loading.set(key, messages);
  messages.then(
    // React reads these from a promise, and does not wait for one that is settled.
    (value) => Object.assign(messages, { status: 'fulfilled', value }),
    // One that fails is tried again by the next component that needs it.
    () => loading.delete(key),
  );
  return messages;
}

/** Begins to load what a page says, in the language of the reader, beside the page itself. */
export async function loadMessages(...subjects: Subject[]): Promise<void> {
  for (const subject of subjects) asked.add(subject);
  await Promise.all(subjects.map(async (subject) => await messagesIn(language.get(), subject)));
}

/** Pages change at once: what they say is there before. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await Promise.all([...asked].map(async (subject) => await messagesIn(chosen, subject)));
  setLanguage(chosen);
}

/**
 * What is said about a subject. Where that has not come yet, the component waits for it. `use` is called each time: React
 * tells the promises of a component apart by their order, and would give one subject the messages of another.
 */
export function useMessages<Name extends Subject>(subject: Name): Vocabulary[Name] {
  const chosen = useLanguage();
  asked.add(subject);
  return use(messagesIn(chosen, subject)) as Vocabulary[Name];
}
