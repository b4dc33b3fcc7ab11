import type { Language } from '../../base/http/preferred-language.ts';
import type { CauseCode } from '../causes.ts';
import type { NoteId } from '../provider-notes.ts';
import { dropsEn } from './drops-en.ts';
import { dropsEs } from './drops-es.ts';
import { notesEn } from './notes-en.ts';
import { notesEs } from './notes-es.ts';
import { phrasesEn } from './phrases-en.ts';
import { phrasesEs } from './phrases-es.ts';
import type { Phrases } from './phrases.ts';
import { repliesEn } from './replies-en.ts';
import { repliesEs } from './replies-es.ts';
import { statesEn } from './states-en.ts';
import { statesEs } from './states-es.ts';
import { waysEn } from './ways-en.ts';
import { waysEs } from './ways-es.ts';
import type { Words } from './words.ts';

/** All that is said in one language. A cause without words does not compile. */
interface Vocabulary {
  causes: Record<CauseCode, Words>;
  notes: Record<NoteId, { meaning: string; advice?: string }>;
  phrases: Phrases;
}

export const vocabularies: Record<Language, Vocabulary> = {
  en: { causes: { ...statesEn, ...dropsEn, ...repliesEn, ...waysEn }, notes: notesEn, phrases: phrasesEn },
  es: { causes: { ...statesEs, ...dropsEs, ...repliesEs, ...waysEs }, notes: notesEs, phrases: phrasesEs },
};
