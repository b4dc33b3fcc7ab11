/**
 * What templates may use: the tags and filters of Liquid whose work is in proportion to what goes in and comes out of
 * them. docs/templates.md lists the same, and the panel's editor completes them. Left out are:
 * - tags that read other templates;
 * - `liquid` and `cycle`, which hold tags and filters that are not looked at before they are rendered;
 * - `tablerow`, which converts its number of columns for every cell;
 * - filters that evaluate text as code: `…_exp`, and `where` and its kind, whose property is an expression;
 * - `raw`, which would let a value into the HTML unescaped.
 */
export const allowedTags: readonly string[] =
  '# assign break capture case comment continue decrement echo for if increment raw unless'.split(' ');

export const allowedFilters: readonly string[] = [
  'abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once',
  'first floor join last lstrip map minus modulo newline_to_br plus prepend remove remove_first remove_last replace',
  'replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html',
  'strip_newlines sum times truncate truncatewords uniq upcase url_decode url_encode',
].flatMap((line) => line.split(' '));
