import type { Operation } from '../../src/base/http/operation.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { makeTools } from '../../src/mcp/tools.ts';

const begin = '<!-- tools: made by `npm run generate` -->\n';
const end = '<!-- /tools -->';

/** The page with the table of tools as the code has them. */
export function withToolTable(page: string, operations: Operation[]): string {
  const [before, rest] = page.split(begin, 2);
  const after = rest?.split(end, 2)[1];
  if (before === undefined || after === undefined) throw new Error('The page has no place for the tools.');
  const rows = [...makeTools(operations).values()].map(row);
  const table = ['| Tool | Operation | Scope | Hints | What for |', '|---|---|---|---|---|', ...rows];
  return `${before}${begin}\n${table.join('\n')}\n\n${end}${after}`;
}

function row({ entry, operation, scope, shown }: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = shown['annotations'] as Record<
    string,
    boolean
  >;
  const hints = [
    readOnlyHint ? 'reads' : undefined,
    destructiveHint ? 'cannot be undone' : undefined,
    !readOnlyHint && idempotentHint ? 'repeatable' : undefined,
    openWorldHint ? 'reaches outside' : undefined,
  ];
  const cells = [
    `\`${entry.name}\``,
    `\`${operation.method} ${operation.path}\``,
    `\`${scope}\``,
    hints.filter((hint) => hint !== undefined).join(', '),
    /^.*?\.(?= |$)/.exec(String(shown['description']))?.[0] ?? String(shown['description']),
  ];
  return `| ${cells.join(' | ')} |`;
}
