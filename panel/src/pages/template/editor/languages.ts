import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { html, htmlCompletionSourceWith } from '@codemirror/lang-html';
import { liquid, liquidCompletionSource } from '@codemirror/lang-liquid';
import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import { allowedFilters, allowedTags } from '../../../../../src/templates/liquid-names.ts';
import { mjmlTags } from './mjml-tags.ts';

export type CodeLanguage = 'html' | 'mjml' | 'text';

const plain = StreamLanguage.define({
  token(stream) {
    stream.skipToEnd();
    return null;
  },
});

/** HTML, MJML or plain text with Liquid in it. */
export function languageOf(language: CodeLanguage): LanguageSupport {
  if (language === 'text') return liquid({ base: new LanguageSupport(plain) });
  return liquid({ base: html({ selfClosingTags: language === 'mjml' }) });
}

const words = ['else', 'elsif', 'when', 'in', 'empty', 'forloop'];
const known = new Set([
  ...allowedTags,
  ...allowedFilters,
  ...words,
  ...allowedTags.map((tag) => `end${tag}`),
]);

const ofRecipient: Completion[] = [
  { label: 'email', type: 'property' },
  { label: 'name', type: 'property' },
];

/** What the service knows: tags and filters that it refuses are not offered, the variables of the text are. */
export function completionsOf(language: CodeLanguage, variables: () => string[]) {
  const ofLiquid = liquidCompletionSource({
    filters: allowedFilters.map((label) => ({ label, type: 'function' })),
    variables: ['recipient', 'unsubscribe_url', 'view_url'].map((label) => ({ label, type: 'variable' })),
    properties: (path) => (path.join('.') === 'recipient' ? ofRecipient : propertiesOf(variables(), path)),
  });
  const liquidSource = (context: CompletionContext): CompletionResult | null => {
    const found = ofLiquid(context);
    if (!found) return null;
    const roots = variables().map((name) => ({ label: rootOf(name), type: 'variable' }));
    const isKnown = ({ label, type }: Completion): boolean =>
      type === 'variable' || type === 'property' || known.has(label);
    const offered = [
      ...found.options.filter(isKnown),
      ...(found.options.some(({ type }) => type === 'variable') ? roots : []),
    ];
    const options = [...new Map(offered.map((each) => [each.label, each])).values()];
    return { ...found, options };
  };
  if (language === 'text') return [liquidSource];
  const tags = htmlCompletionSourceWith(language === 'mjml' ? { extraTags: mjmlTags } : {});
  return [liquidSource, tags];
}

const rootOf = (name: string): string => name.split(/[.[]/)[0] ?? name;

function propertiesOf(names: string[], path: readonly string[]): Completion[] {
  const prefix = `${path.join('.')}.`;
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ label: rootOf(name.slice(prefix.length)), type: 'property' }));
}
