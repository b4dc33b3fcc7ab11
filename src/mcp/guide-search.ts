import { anchorOf } from '../base/http/markdown.ts';
import { guides, guideText, guideTitle, type GuideName } from './guides.ts';

interface Section {
  guide: GuideName;
  title: string;
  heading: string;
  anchor: string;
  text: string;
}

export interface Found extends Omit<Section, 'text'> {
  /** The words around the first hit. */
  excerpt: string;
}

const max_found = 50;
let sections: Promise<Section[]> | undefined;

/** The sections of the guides that have all the words, those with them in the heading first. */
export async function searchGuides(query: string): Promise<Found[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  sections ??= readSections();
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = (await sections).filter(({ heading, text }) => has(`${heading}\n${text}`));
  const sorted = [
    ...found.filter(({ heading }) => has(heading)),
    ...found.filter(({ heading }) => !has(heading)),
  ];
  return sorted
    .slice(0, max_found)
    .map(({ text, ...section }) => ({ ...section, excerpt: excerptOf(text, words[0] ?? '') }));
}

async function readSections(): Promise<Section[]> {
  const names = Object.keys(guides) as GuideName[];
  const all = names.map(async (guide) => {
    const title = await guideTitle(guide);
    return (await guideText(guide)).split(/^(?=#{1,3} )/m).map((part): Section => {
      const [heading = '', ...lines] = part.split('\n');
      const name = heading.replace(/^#+ /, '');
      return { guide, title, heading: name, anchor: anchorOf(name), text: lines.join('\n') };
    });
  });
  return (await Promise.all(all)).flat();
}

function excerptOf(text: string, word: string): string {
  const plain = text
    .replaceAll(/[`*|#]|\]\([^)]*\)|\[/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - 60);
  const piece = plain.slice(at, at + 200);
  return `${at > 0 ? '…' : ''}${piece}${at + 200 < plain.length ? '…' : ''}`;
}
