import assert from 'node:assert/strict';

type Json = Record<string, unknown>;

/** What a reference of the document leads to (RFC 6901). */
export function resolve(document: object, reference: string): unknown {
  assert.match(reference, /^#\//, 'a reference stays in the document');
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    found = (found as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}

/** The document with each shared parameter and response in place of the reference to it; schemas stay as they are. */
export function withoutReferences<Document extends object>(document: Document): Document {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    const isShared = typeof $ref === 'string' && /^#\/components\/(parameters|responses)\//.test($ref);
    if (isShared) return replaced(resolve(document, $ref));
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, replaced(child)]));
  };
  return replaced(document) as Document;
}

/** Every object of the document, with the way to it. */
export function* objectsIn(value: unknown, way = '#'): Generator<{ way: string; object: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { way, object: value as Json };
  for (const [key, child] of Object.entries(value)) yield* objectsIn(child, `${way}/${key}`);
}
