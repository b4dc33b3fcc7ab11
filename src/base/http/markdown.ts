import { Marked } from 'marked';
import { escapeHtml } from './html.ts';

interface RenderOptions {
  /** Where a link without a host leads; undefined for what is not served, whose words stay. */
  address: (target: string) => string | undefined;
}

/** As GitHub makes them from headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Markdown as GitHub reads it. HTML is escaped, pictures are left out, and bare addresses are not links. */
export function renderMarkdown(text: string, { address }: RenderOptions): string {
  const marked = new Marked({
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ depth, text: heading, tokens }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
      html: ({ text: html }) => (html.startsWith('<!--') ? '' : escapeHtml(html)),
      image: () => '',
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = /^https?:/.test(href) ? href : address(href);
        return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
      },
    },
  });
  return marked.parse(text, { async: false }).trimEnd();
}
