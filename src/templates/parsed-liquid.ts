import type { Template } from 'liquidjs';
import { parseLiquid, type LiquidKind } from './liquid.ts';

/** Characters of sources of each kind. What is parsed of them takes some times their memory. */
const max_length = 8 * 1024 * 1024;
/** What even an empty template takes, counted as characters. */
const overhead = 2_000;

const parsed = { html: createParsed('html'), plain: createParsed('plain') };

/**
 * Sources are parsed once for all mails that have them: parsing 20 KB takes eight times as long as rendering it, finding
 * it here a hundredth of that.
 */
export function parsedLiquid(source: string, kind: LiquidKind): Template[] {
  return parsed[kind](source);
}

function createParsed(kind: LiquidKind): (source: string) => Template[] {
  const sources = new Map<string, Template[]>();
  let length = 0;

  function makeRoom(added: string): void {
    length += overhead + added.length;
    for (const source of sources.keys()) {
      if (length <= max_length) return;
      sources.delete(source);
      length -= overhead + source.length;
    }
  }

  return (source) => {
    const known = sources.get(source);
    // Put back at the end: the front of the map is what was not used for longest.
    if (known) sources.delete(source);
    const templates = known ?? parseLiquid(source, kind);
    sources.set(source, templates);
    if (!known) makeRoom(source);
    return templates;
  };
}
