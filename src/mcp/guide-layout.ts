import { customProperties, dark, light, markPaths, systemFont } from '../base/brand.ts';
import { escapeHtml } from '../base/http/html.ts';

const style = `
:root { color-scheme: light dark; ${customProperties(light)} }
@media (prefers-color-scheme: dark) { :root { ${customProperties(dark)} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--card); color: var(--ink); font: 16px/1.6 ${systemFont}; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; } a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
.bar { background: var(--paper); border-bottom: 1px solid var(--line); }
.bar > div, .page { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding-block: .75rem; }
.bar nav { display: flex; gap: 1rem; flex: 1; } .bar nav a { white-space: nowrap; }
.bar nav a:not([aria-current]) { color: var(--ink); text-decoration: none; } .bar nav a:hover { text-decoration: underline; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); }
form { display: flex; gap: .5rem; flex: 1 1 16rem; max-width: 26rem; } input, button { font: inherit; padding: .35rem .75rem; border-radius: .375rem; }
input { min-width: 0; flex: 1; border: 1px solid var(--edge); background: var(--card); color: var(--ink); }
button { border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
.page { padding-block: 2.5rem 4rem; display: grid; grid-template-columns: minmax(0, 52rem); gap: 3rem; justify-content: center; }
aside { display: none; font-size: .9rem; } aside ul { list-style: none; padding: 0; margin: .5rem 0 0; } aside li { margin: .4rem 0; }
aside h2 { font-size: .9rem; margin: 0; } aside a { color: var(--soft); text-decoration: none; }
aside a:hover { color: var(--ink); text-decoration: underline; }
@media (min-width: 64rem) { .has-contents { grid-template-columns: minmax(0, 52rem) 14rem; }
  .has-contents aside { display: block; position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow: auto; } }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; letter-spacing: -.01em; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; } p, ul, ol { margin: .75rem 0; } ul, ol { padding-left: 1.5rem; } li { margin: .25rem 0; }
.soft { color: var(--soft); } .lead { font-size: 1.1rem; color: var(--soft); margin: 0 0 1rem; }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; }
:not(pre) > code { background: var(--paper); border-radius: .25rem; padding: .1em .3em; }
pre { overflow: auto; padding: .875rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; line-height: 1.5; }
pre code { font-size: .8125rem; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .9375rem; } th { font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.list { list-style: none; padding: 0; } .list p { margin: .1rem 0 0; } .list li { margin: 0; }
.guides { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.25rem 2rem; }
.guides a { font-weight: 600; } .found p { overflow-wrap: anywhere; } .found li { padding: 1rem 0; border-bottom: 1px solid var(--line); } mark { background: var(--tint); color: inherit; font-weight: 600; }`;

const mark = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${markPaths.map((d) => `<path d="${d}"/>`).join('')}</svg>`;

export const maxQuery = 100;

export interface GuideLayout {
  /** English when absent. */
  lang?: 'en' | 'es';
  title: string;
  /** HTML whose values are already escaped. */
  body: string;
  /** What is being searched for. */
  query?: string;
  /** The sections of a long page. */
  contents?: readonly { anchor: string; heading: string }[];
}

/** A page of the documentation, with the ways to the others and the search on top. */
export function guideLayout({ lang = 'en', title, body, query = '', contents = [] }: GuideLayout): string {
  const sections = contents.map(
    ({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  );
  const hasContents = contents.length > 2;
  const aside = hasContents
    ? `<aside aria-labelledby="contents"><h2 id="contents">${lang === 'es' ? 'En esta página' : 'On this page'}</h2><ul>${sections.join('')}</ul></aside>`
    : '';
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header class="bar"><div><a class="brand" href="/">${mark}Chasqui</a>
<nav aria-label="Documentation"><a href="/docs/guides" aria-current="true">Guides</a><a href="/docs/">Reference</a><a href="/docs/errors">Errors</a></nav>
<form role="search" action="/docs/guides"><input type="search" name="q" maxlength="${maxQuery}" value="${escapeHtml(query)}" placeholder="Search the guides" aria-label="Search the guides"><button>Search</button></form></div></header>
<div class="page${hasContents ? ' has-contents' : ''}"><main>
${body}
</main>${aside}</div>
</body>
</html>
`;
}
