import anyAscii from 'any-ascii';

/** Accents folded, lower case, every run of other characters one hyphen; undefined when nothing is left. */
export function categorySlug(text: string): string | undefined {
  const slug = anyAscii(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 255)
    .replace(/-+$/, '');
  return slug === '' ? undefined : slug;
}
