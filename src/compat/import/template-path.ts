/** What the names of a block refer to: a path of Liquid, empty for the variables of the template; undefined when it is not known. */
export type Scope = string | undefined;

/** Words of Liquid, and what the service fills in. */
const taken = new Set(
  (
    'and blank contains empty false forloop nil not null or true undefined ' +
    'recipient unsubscribe_url view_url'
  ).split(' '),
);

const loopValues = new Map([
  ['@index', 'forloop.index0'],
  ['@first', 'forloop.first'],
  ['@last', 'forloop.last'],
]);

/** The same path in Liquid; undefined when it cannot be written there. `scopes` are those around it, the outermost first. */
export function liquidPath(
  path: string,
  { scopes, isInLoop }: { scopes: Scope[]; isInLoop: boolean },
): string | undefined {
  const ofLoop = loopValues.get(path);
  if (ofLoop !== undefined) return isInLoop ? ofLoop : undefined;
  const [, root, ups = '', rest = ''] = /^(@root\.)?((?:\.\.\/)*)(.*)$/s.exec(path) ?? [];
  if (root !== undefined && ups !== '') return undefined;
  const scope = root === undefined ? scopes.at(-1 - ups.length / 3) : '';
  if (scope === undefined) return undefined;
  const own = rest.replace(/^(?:this[./]|\.\/)/, '');
  if (own === 'this' || own === '.') return scope === '' ? undefined : scope;
  const segments = own.split('.');
  if (!/^[A-Za-z_]\w*$/.test(segments[0] ?? '') || (scope === '' && taken.has(segments[0] ?? '')))
    return undefined;
  if (!segments.every((each) => /^(?:[A-Za-z_]\w*|\d{1,6})$/.test(each))) return undefined;
  const joined = segments.map((each) => (/^\d/.test(each) ? `[${each}]` : `.${each}`)).join('');
  return scope === '' ? joined.slice(1) : `${scope}${joined}`;
}
