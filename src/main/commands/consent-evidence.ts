import { collectEvidence } from '../../consent/evidence/collect-evidence.ts';
import { evidencePage } from '../../consent/evidence/evidence-page.ts';
import { auditReading } from '../../consent/evidence/evidence-panel-routes.ts';
import type { ConsentEvidence } from '../../consent/evidence/evidence-schemas.ts';
import { evidenceLanguages } from '../../consent/evidence/evidence-words.ts';
import { choice, instance, required, type Command } from '../command.ts';
import { describeCheck } from './consent-verify.ts';
import { operator, withInstance } from './with-store.ts';

function summary(document: ConsentEvidence): string {
  const codes = new Map(document.purposes.map(({ id, code }) => [id, code]));
  const events = document.events.map(({ id, created_at, status, source, rules, is_unaltered }) => {
    const said = rules.map(
      ({ action, channel, purpose_id }) => `${action} ${channel} for ${codes.get(purpose_id)}`,
    );
    const state = is_unaltered ? '' : '  ALTERED';
    return `${created_at.toISOString()}  event ${id}  ${status}  ${source}  ${said.join(', ')}${state}`;
  });
  const check = describeCheck({ instance: document.instance.slug, ...document.chain });
  return [...(events.length > 0 ? events : ['Nothing is on record about this contact.']), check].join('\n');
}

export const consentEvidence: Command = {
  name: 'consent evidence',
  arguments: '--instance S --contact C [--html] [--language es|en]',
  summary: 'Everything on record about one contact: events, rules, texts and hashes.',
  options: {
    instance,
    contact: { type: 'string', about: 'An email address, a phone number or a unique code.' },
    html: { type: 'boolean', about: 'Print a page for people instead of a summary.' },
    language: { type: 'string', about: 'Of the page: es (default) or en.' },
  },
  example: 'chasqui consent evidence --instance acme --contact ana@example.com --html > ana.html',
  async run(input) {
    const contact = required(input, 'contact');
    const language = choice(input, 'language', evidenceLanguages) ?? 'es';
    return await withInstance(input, async (db, named) => {
      const document = await collectEvidence(db, named, { contact, at: new Date() });
      await auditReading(db, named.id, { contact, actor: operator, events: document.events.length });
      const text = input.options['html'] === true ? evidencePage(document, language) : summary(document);
      return { text, json: document };
    });
  },
};
