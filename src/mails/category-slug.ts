import anyAscii from 'any-ascii';

/**
 * Accents folded, lower case, runs of other characters become one hyphen; undefined without a letter or digit. Only
 * letters and digits are transliterated: `€` and `😀` would become `eur` and `grinning`.
 */
export function categorySlug(text: string): string | undefined {
  const slug = anyAscii(text.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 255)
    .replace(/-+$/, '');
  return slug === '' ? undefined : slug;
}
