import type { Template } from 'liquidjs';
import { parseLiquid, type LiquidKind } from './liquid.ts';

/** Parsed templates take some times the memory of their text: this many characters are a few hundred megabytes at most. */
const max_length = 16 * 1024 * 1024;
/** What even an empty template takes, counted as characters. */
const overhead = 2_000;

const parsed: Record<LiquidKind, Map<string, Template[]>> = { html: new Map(), plain: new Map() };
let length = 0;

/**
 * Sources are parsed once for all mails that have them: parsing 20 KB takes ten times as long as rendering it, finding
 * it here a hundredth.
 */
export function parsedLiquid(source: string, kind: LiquidKind): Template[] {
  const sources = parsed[kind];
  const known = sources.get(source);
  // Put back at the end: the front of the map is what was not used for longest.
  if (known) sources.delete(source);
  const templates = known ?? parseLiquid(source, kind);
  sources.set(source, templates);
  if (!known) makeRoom(source);
  return templates;
}

function makeRoom(added: string): void {
  length += overhead + added.length;
  for (const sources of [parsed.plain, parsed.html]) {
    for (const source of sources.keys()) {
      if (length <= max_length) return;
      sources.delete(source);
      length -= overhead + source.length;
    }
  }
}
