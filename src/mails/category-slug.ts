import anyAscii from 'any-ascii';

/**
 * Accents folded, lower case, every run of other characters one hyphen; undefined when it has no letter or digit.
 * Only letters and digits are put into ASCII: signs have words for it too, `€` and `😀` would become `eur` and
 * `grinning`.
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
