import type { Template } from 'liquidjs';
import { parseLiquid, type LiquidKind } from './liquid.ts';

/** Total source characters cached per kind. The parsed form takes several times their memory. */
const maxLength = 8 * 1024 * 1024;
/** Fixed cost of a template, in characters. */
const overhead = 2_000;

const parsed = { html: createParsed('html'), plain: createParsed('plain') };

/** Parsed once for all mails with the same source: parsing 20 KB takes eight times as long as rendering it. */
export function parsedLiquid(source: string, kind: LiquidKind): Template[] {
  return parsed[kind](source);
}

function createParsed(kind: LiquidKind): (source: string) => Template[] {
  const sources = new Map<string, Template[]>();
  let length = 0;

  function makeRoom(added: string): void {
    length += overhead + added.length;
    for (const source of sources.keys()) {
      if (length <= maxLength) return;
      sources.delete(source);
      length -= overhead + source.length;
    }
  }

  return (source) => {
    const known = sources.get(source);
    // Moved to the end: least recently used first.
    if (known) sources.delete(source);
    const templates = known ?? parseLiquid(source, kind);
    sources.set(source, templates);
    if (!known) makeRoom(source);
    return templates;
  };
}
