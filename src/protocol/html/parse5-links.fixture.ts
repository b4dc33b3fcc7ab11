import { html as names, parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { HtmlLink } from './scan-links.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Every element of a document, templates' content included, as a whole parser builds it without scripts. */
export function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const waiting: Node[] = [parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false })];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) found.push(node);
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) waiting.push(...node.childNodes);
  }
  return found;
}

/** The links that a whole parser finds, once each: it copies elements that are closed in the wrong order. */
export function linksByParser(html: string, optOut: string): HtmlLink[] {
  const links = new Map<number, HtmlLink>();
  for (const { tagName, namespaceURI, attrs, sourceCodeLocation } of elementsOf(html)) {
    if (namespaceURI !== names.NS.HTML || (tagName !== 'a' && tagName !== 'area')) continue;
    const href = attrs.find(({ name }) => name === 'href');
    const place = sourceCodeLocation?.attrs?.['href'];
    if (!href?.value || !place || attrs.some(({ name }) => name === optOut)) continue;
    const value = valueRange(html, place.startOffset, place.endOffset);
    links.set(value.start, { ...value, url: href.value });
  }
  return [...links.values()].toSorted((a, b) => a.start - b.start);
}

/** Where the value stands in `href = "…"`. */
function valueRange(html: string, from: number, to: number): { start: number; end: number } {
  const [before = ''] = /^[^=\s/>]+(?:[\t\n\f\r ]*=[\t\n\f\r ]*)?/.exec(html.slice(from, to)) ?? [];
  const start = from + before.length;
  const isQuoted = /["']/.test(html[start] ?? '') && before.includes('=');
  return isQuoted ? { start: start + 1, end: to - 1 } : { start, end: to };
}
