import { escapeHtml } from './html.ts';

interface RenderOptions {
  /** Where a link of the text leads; undefined for what is not served, whose words stay. */
  address: (target: string) => string | undefined;
}

/** As GitHub makes them from headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The part of Markdown that our guides use, as HTML. Everything is escaped: no HTML of the text gets through. */
export function renderMarkdown(text: string, options: RenderOptions): string {
  const lines = text.split('\n');
  const html: string[] = [];
  for (let at = 0; at < lines.length;) {
    const block = blockAt(lines, at);
    html.push(renderBlock(lines.slice(at, block.end), block.kind, options));
    at = block.end;
  }
  return html.filter(Boolean).join('\n');
}

type Kind = 'blank' | 'code' | 'heading' | 'table' | 'list' | 'comment' | 'paragraph';

const item = /^(?:-|\d+\.) /;
/** Inside a list it is indented. */
const fence = /^ *```/;

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank';
  if (fence.test(line)) return 'code';
  if (/^#{1,6} /.test(line)) return 'heading';
  if (line.startsWith('|')) return 'table';
  if (line.startsWith('<!--')) return 'comment';
  return item.test(line) ? 'list' : 'paragraph';
}

/** The block that begins here, and the line after it. */
function blockAt(lines: string[], start: number): { kind: Kind; end: number } {
  const kind = kindOf(lines[start] ?? '');
  let end = start + 1;
  if (kind === 'code') {
    while (end < lines.length && !fence.test(lines[end] ?? '')) end += 1;
    return { kind, end: end + 1 };
  }
  const goesOn = (line: string): boolean => {
    if (kind === 'table') return kindOf(line) === 'table';
    if (kind === 'paragraph') return kindOf(line) === 'paragraph';
    return kind === 'list' && (item.test(line) || (/^ {2,}\S/.test(line) && !fence.test(line)));
  };
  while (end < lines.length && goesOn(lines[end] ?? '')) end += 1;
  return { kind, end };
}

function renderBlock(lines: string[], kind: Kind, options: RenderOptions): string {
  const [first = ''] = lines;
  if (kind === 'blank' || kind === 'comment') return '';
  if (kind === 'code') {
    const indent = first.search(/\S/);
    const code = lines
      .slice(1)
      .filter((line) => !fence.test(line))
      .map((line) => line.slice(indent));
    return `<pre tabindex="0"><code>${escapeHtml(code.join('\n'))}</code></pre>`;
  }
  if (kind === 'heading') {
    const [, marks = '', heading = ''] = /^(#+) (.*)$/.exec(first) ?? [];
    return `<h${marks.length} id="${anchorOf(heading)}">${inline(heading, options)}</h${marks.length}>`;
  }
  if (kind === 'table') return renderTable(lines, options);
  if (kind === 'list') return renderList(lines, options);
  return `<p>${inline(lines.join(' '), options)}</p>`;
}

function renderTable([head = '', , ...rows]: string[], options: RenderOptions): string {
  const cells = (row: string, name: 'th' | 'td'): string =>
    row
      .replaceAll(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => `<${name}>${inline(cell.trim().replaceAll('\\|', '|'), options)}</${name}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row.trim(), 'td')}</tr>`).join('\n');
  return `<table><thead><tr>${cells(head.trim(), 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}

function renderList(lines: string[], options: RenderOptions): string {
  const items: string[][] = [];
  for (const line of lines) {
    if (item.test(line)) items.push([line.replace(item, '')]);
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
  }
  const [number] = /^\d+/.exec(lines[0] ?? '') ?? [];
  const name = number === undefined ? 'ul' : 'ol';
  const start = number === undefined || number === '1' ? '' : ` start="${number}"`;
  const rendered = items.map((each) => {
    const nested = each.findIndex((line) => item.test(line));
    const own = nested === -1 ? each : each.slice(0, nested);
    const below = nested === -1 ? '' : renderList(each.slice(nested), options);
    return `<li>${inline(own.join(' '), options)}${below}</li>`;
  });
  return `<${name}${start}>${rendered.join('\n')}</${name}>`;
}

/** Code is put aside first: nothing inside it is markup. */
function inline(text: string, options: RenderOptions): string {
  const codes: string[] = [];
  const marked = text.replaceAll(/`([^`]+)`/g, (_match, code: string) => {
    codes.push(`<code>${escapeHtml(code)}</code>`);
    return '\u0000';
  });
  return escapeHtml(marked)
    .replaceAll(/&lt;(https?:[^\s&]+)&gt;/g, '<a href="$1">$1</a>')
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(/!\[([^\]]*)\]\([^)\s]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_match, words: string, target: string) => {
      const address = options.address(target.replaceAll('&amp;', '&'));
      return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
    })
    .replaceAll('\u0000', () => codes.shift() ?? '');
}
