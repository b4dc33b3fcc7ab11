import { use } from 'react';
import { language, setLanguage, useLanguage, type Language } from '../api/language.ts';
import { retryingLoad } from '../api/retrying-load.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import type { Loaders, Subject, Vocabulary } from './vocabulary.ts';

/** One folder a language: a third one is a folder more, and a line here. */
const loaders: Record<Language, Loaders> = { en, es };

const loaded = new Map<string, Vocabulary[Subject]>();
const loading = new Map<string, Promise<Vocabulary[Subject]>>();
const asked = new Set<Subject>();

async function load(chosen: Language, subject: Subject): Promise<Vocabulary[Subject]> {
  const key = `${chosen} ${subject}`;
  const messages = await retryingLoad<Vocabulary[Subject]>(loaders[chosen][subject])();
  loaded.set(key, messages);
  return messages;
}

function messagesIn(chosen: Language, subject: Subject): Promise<Vocabulary[Subject]> {
  const key = `${chosen} ${subject}`;
  const known = loading.get(key) ?? load(chosen, subject);
  loading.set(key, known);
  // One that fails is tried again by the next that asks.
  known.catch(() => loading.delete(key));
  return known;
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

/** What is said about a subject. Where that has not come yet, the component waits for it. */
export function useMessages<Name extends Subject>(subject: Name): Vocabulary[Name] {
  const chosen = useLanguage();
  asked.add(subject);
  const known = loaded.get(`${chosen} ${subject}`) ?? use(messagesIn(chosen, subject));
  return known as Vocabulary[Name];
}
