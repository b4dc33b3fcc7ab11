import { bounceReasons } from '../../src/events/index.ts';
import { reasonTitle } from '../../src/explain/index.ts';
import { dropReasons } from '../../src/mails/index.ts';

const begin = '<!-- reasons: made by `npm run generate` -->\n';
const end = '<!-- /reasons -->';

/** The page with the reasons of drops and bounces as the code has them. */
export function withReasonTables(page: string): string {
  const [before, rest] = page.split(begin, 2);
  const after = rest?.split(end, 2)[1];
  if (before === undefined || after === undefined) throw new Error('The page has no place for the reasons.');
  const tables = [
    '### Reasons of drops',
    table(dropReasons),
    '### Reasons of bounces',
    'A mail that has to wait until it expires bounces for what it waited for.',
    table(bounceReasons),
  ];
  return `${before}${begin}\n${tables.join('\n\n')}\n\n${end}${after}`;
}

function table(reasons: readonly string[]): string {
  const rows = [...new Set(reasons)].toSorted().map((each) => `| \`${each}\` | ${reasonTitle(each, 'en')} |`);
  return ['| `reason` | Meaning |', '|---|---|', ...rows].join('\n');
}
