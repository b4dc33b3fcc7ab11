import { cachedFor } from '../base/cached-for.ts';
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
  /** The words around the first hit; `isHit` for what was searched for. */
  excerpt: { text: string; isHit: boolean }[];
}

export const maxFound = 50;
const sections = cachedFor(Infinity, readSections);

/** The sections of the guides that have all the words, those with them in the heading first. */
export async function searchGuides(query: string): Promise<Found[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = (await sections()).filter(({ heading, text }) => has(`${heading}\n${text}`));
  const sorted = [
    ...found.filter(({ heading }) => has(heading)),
    ...found.filter(({ heading }) => !has(heading)),
  ];
  return sorted
    .slice(0, maxFound)
    .map(({ text, ...section }) => ({ ...section, excerpt: excerptOf(text, words) }));
}

async function readSections(): Promise<Section[]> {
  const names = Object.keys(guides) as GuideName[];
  const all = names.map(async (guide) => {
    const title = await guideTitle(guide);
    return (await guideText(guide)).split(/^(?=#{1,3} )/m).map((part): Section => {
      const [heading = '', ...lines] = part.split('\n');
      const name = heading.replace(/^#+ /, '');
      return { guide, title, heading: plainHeading(name), anchor: anchorOf(name), text: lines.join('\n') };
    });
  });
  return (await Promise.all(all)).flat();
}

/** Without the marks of Markdown. */
export const plainHeading = (heading: string): string =>
  heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

const length = 220;

function excerptOf(text: string, words: string[]): Found['excerpt'] {
  const plain = text
    .replaceAll(/^ *```.*$|^\|[-| ]+$|^<!--.*-->$|^!\[.*$/gm, '')
    .replaceAll(/\]\([^)]*\)|[`*|[]|^#+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,;:)])/g, '$1')
    .trim();
  const hit = plain.toLowerCase().indexOf(words[0] ?? '');
  const start = hit < 80 ? 0 : plain.indexOf(' ', hit - 60) + 1;
  const isWhole = start + length >= plain.length;
  const end = isWhole ? plain.length : Math.max(plain.lastIndexOf(' ', start + length), hit + 1);
  const piece = `${start > 0 ? '… ' : ''}${plain.slice(start, end)}${isWhole ? '' : ' …'}`;
  const any = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'i');
  return piece.split(any).map((part, at) => ({ text: part, isHit: at % 2 === 1 }));
}
