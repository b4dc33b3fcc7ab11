import { escapeHtml, htmlPage } from '../../base/http/html.ts';
import { hashOf } from '../chain/chain.ts';
import type { ConsentEvidence, EvidenceEvent } from './evidence-schemas.ts';
import { evidenceWords, type EvidenceLanguage, type EvidenceWords } from './evidence-words.ts';

interface Printing {
  document: ConsentEvidence;
  words: EvidenceWords;
  /** In the time zone of the instance, followed by UTC. */
  date: (at: Date) => string;
}

const style = `<style>
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .85em/1.5 ui-monospace, monospace; padding: .75rem;
  border: 1px solid var(--line); }
code { overflow-wrap: anywhere; } td { overflow-wrap: anywhere; } td code { font-size: .8em; } td .soft { display: inline-block; } th[scope='row'] { width: 11rem; }
section, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
@media screen and (max-width: 40rem) {
  table, tbody, tr, th, td { display: block; } thead { display: none; } table, th[scope='row'] { width: auto; }
  th[scope='row'] { border: 0; padding-bottom: 0; } tr { padding: .35rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding-top: .1rem; padding-bottom: .1rem; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); } }
@page { margin: 18mm; }
@media print { :root { color-scheme: light; } body { font-size: 11px; background: none; } main { max-width: none; padding: 0; }
  th[scope='row'] { width: 8rem; } pre { border-color: #999; } }
</style>`;

/** The document as a self-contained page to print. */
export function evidencePage(document: ConsentEvidence, language: EvidenceLanguage): string {
  const words = evidenceWords[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: document.instance.timezone,
  });
  const date = (at: Date): string =>
    `${escapeHtml(format.format(at))} <span class="soft">(${at.toISOString()})</span>`;
  const printing = { document, words, date };
  const body = [
    style,
    `<h1>${words.title}</h1>`,
    facts([
      [words.contact, escapeHtml(document.contact)],
      [words.account, `${escapeHtml(document.instance.name)} (${escapeHtml(document.instance.slug)})`],
      [words.made, date(document.generated_at)],
    ]),
    document.events.length === 0 ? `<p>${words.nothing}</p>` : standing(printing),
    ...(document.events.length === 0 ? [] : [`<h2>${words.history}</h2>`]),
    ...document.events.map((event) => eventSection(printing, event)),
    ...(document.has_more ? [`<p>${words.more}</p>`] : []),
    ...texts(printing),
    integrity(printing),
  ];
  return htmlPage({ title: `${words.title}: ${document.contact}`, body: body.join('\n'), lang: language });
}

/** Name and value pairs; values are HTML. */
function facts(rows: [string, string][]): string {
  const lines = rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  return `<table>${lines.join('')}</table>`;
}

const wordFor = ({ values }: EvidenceWords, value: string): string => escapeHtml(values[value] ?? value);

function purposeName({ purposes }: ConsentEvidence, id: number): string {
  return escapeHtml(purposes.find((purpose) => purpose.id === id)?.name ?? String(id));
}

function standing({ document, words, date }: Printing): string {
  const heads = [words.contact, words.channel, words.purpose, words.verdict, words.since];
  const rows = document.standing.map(({ contact, channel, purpose_id, verdict, decided_at }) =>
    [
      escapeHtml(contact),
      wordFor(words, channel),
      purposeName(document, purpose_id),
      `<strong>${wordFor(words, verdict)}</strong>`,
      decided_at ? date(decided_at) : '',
    ]
      .map((cell, index) => `<td data-label="${heads[index]}">${cell}</td>`)
      .join(''),
  );
  return `<h2>${words.standing}</h2><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table>`;
}

function eventSection(printing: Printing, event: EvidenceEvent): string {
  const { document, words, date } = printing;
  const term = document.terms.find(({ id }) => id === event.term_id);
  const version = term?.versions.find(({ id }) => id === event.term_version_id);
  const rules = event.rules.map((rule) =>
    [
      `<strong>${wordFor(words, rule.action)}</strong>`,
      wordFor(words, rule.channel),
      purposeName(document, rule.purpose_id),
      `${wordFor(words, rule.contact_type)} <code>${escapeHtml(rule.contact)}</code>`,
    ].join(' · '),
  );
  const outcome = event.outcome;
  return `<section><h3>${words.event} ${event.id}</h3>${facts([
    [words.recorded, date(event.created_at)],
    [words.term, `${escapeHtml(term?.name ?? '')} · ${words.version} ${escapeHtml(version?.version ?? '')}`],
    [words.status, wordFor(words, event.status)],
    [words.method, wordFor(words, event.method)],
    [words.source, wordFor(words, event.source)],
    [words.rules, rules.join('<br>')],
    [words.origin, originOf(words, event.evidence)],
    [words.place, place(words, event)],
    ...(outcome
      ? ([
          [words[outcome.status], `${date(outcome.at)}<br>${originOf(words, outcome.evidence)}`],
          [words.place, place(words, outcome)],
        ] as [string, string][])
      : []),
  ])}</section>`;
}

function originOf(words: EvidenceWords, evidence: Record<string, string>): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${wordFor(words, name)}: <code>${escapeHtml(value)}</code>`)
    .join('<br>');
}

function place(words: EvidenceWords, row: Pick<EvidenceEvent, 'sequence' | 'hash' | 'is_unaltered'>): string {
  const state = row.is_unaltered ? words.unaltered : `<strong>${words.altered}</strong>`;
  return `${row.sequence} · ${words.hash} <code>${row.hash}</code><br>${state}`;
}

function texts({ document, words }: Printing): string[] {
  if (document.terms.length === 0) return [];
  const sections = document.terms.flatMap(({ name, versions }) =>
    versions.map(({ version, body, document_url }) => {
      const title = `<h3>${escapeHtml(name)} · ${words.version} ${escapeHtml(version)}</h3>`;
      const url = document_url ? `<p><code>${escapeHtml(document_url)}</code></p>` : '';
      const hash = `<p class="soft">${words.hash} <code>${hashOf(body).toString('hex')}</code></p>`;
      return `${title}${url}<pre>${escapeHtml(body)}</pre>${hash}`;
    }),
  );
  return [`<h2>${words.texts}</h2>`, ...sections];
}

function integrity({ document: { chain }, words }: Printing): string {
  const { first_break } = chain;
  const found = first_break
    ? fill(words.broken, { place: first_break.sequence, problem: wordFor(words, first_break.problem) })
    : fill(chain.is_complete ? words.intact : words.partly, { checked: chain.checked });
  const how = fill(words.how, { sequence: chain.sequence, hash: `<code>${chain.hash}</code>` });
  return `<h2>${words.integrity}</h2><p>${first_break ? `<strong>${found}</strong>` : found}</p><p class="soft">${how}</p>`;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(values[name]));
}
