import { TokenKind, toValueSync, type Template } from 'liquidjs';

/** A value that a template reads from outside: `order.items[0]` is `['order', 'items', 0]`. */
export interface UsedVariable {
  /** Ends before a part that is only known when it is rendered, such as `[index]`. */
  path: (string | number)[];
  /** Where it stands in the source. */
  offset: number;
}

/** And in which part of a template. */
export interface PartVariable extends UsedVariable {
  part: 'subject' | 'html' | 'text';
}

interface PropertyToken {
  kind: TokenKind;
  begin: number;
  variable?: { content?: unknown };
  props: { kind: TokenKind; content?: unknown }[];
}

/**
 * Every use of a variable that the template does not make itself, in the order of the text. The engine's own analysis
 * counts lines from the beginning for each: 3 s for 5,000 placeholders, where this takes 10 ms.
 */
export function findVariables(templates: Template[]): UsedVariable[] {
  const found: UsedVariable[] = [];
  const scopes: Set<string>[] = [new Set()];
  const isLocal = (name: string): boolean => scopes.some((scope) => scope.has(name));

  const visit = (template: Template): void => {
    for (const argument of template.arguments?.() ?? []) {
      for (const token of propertiesIn(argument)) {
        const used = usedBy(token);
        if (used && !isLocal(String(used.path[0]))) found.push(used);
      }
    }
    for (const token of template.localScope?.() ?? []) {
      scopes[0]?.add(typeof token === 'string' ? token : token.content);
    }
    if (!template.children) return;
    const block = template.blockScope?.();
    if (block) scopes.push(new Set(block));
    for (const child of toValueSync(template.children(false, true))) visit(child);
    if (block) scopes.pop();
  };
  for (const template of templates) visit(template);
  return found.toSorted((a, b) => a.offset - b.offset);
}

/** Wherever they stand in an argument: as itself, in a filter, in a range, within brackets of each other. */
function propertiesIn(argument: unknown): PropertyToken[] {
  const properties: PropertyToken[] = [];
  const seen = new Set<unknown>();
  const left: unknown[] = [argument];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    if ((part as PropertyToken).kind === TokenKind.PropertyAccess) properties.push(part as PropertyToken);
    for (const [name, value] of Object.entries(part)) if (name !== 'liquid') left.push(value);
  }
  return properties;
}

function usedBy({ variable, props, begin }: PropertyToken): UsedVariable | undefined {
  const path: (string | number)[] = [];
  // Without a variable the first bracket is the name: `["first name"]`.
  for (const part of variable ? [variable, ...props] : props) {
    const { content } = part;
    if (typeof content !== 'string' && typeof content !== 'number') break;
    path.push(content);
  }
  return path.length === 0 ? undefined : { path, offset: begin };
}
