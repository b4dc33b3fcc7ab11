import { NewMailTemplate } from '../../templates/template-schemas.ts';
import { createTemplate, listTemplates, publishTemplate } from '../../templates/templates.ts';
import { instance, optional, required, textOf, type Command, type CommandInput } from '../command.ts';
import { listCommand } from './list-command.ts';
import { operator, withInstance } from './with-store.ts';
import { requireValid } from './require-valid.ts';

async function readTemplate(input: CommandInput): Promise<NewMailTemplate> {
  const [html, mjml, text] = await Promise.all([
    textOf(input, 'html'),
    textOf(input, 'mjml'),
    textOf(input, 'text'),
  ]);
  if ((html === undefined) === (mjml === undefined)) throw new Error('Give either --html or --mjml.');
  const template: NewMailTemplate = {
    name: required(input, 'name'),
    alias: optional(input, 'alias') ?? null,
    subject: required(input, 'subject'),
    editor: mjml === undefined ? 'html' : 'mjml',
    source: mjml ?? html ?? null,
    text: text ?? null,
  };
  requireValid(NewMailTemplate, template);
  return template;
}

export const templateCreate: Command = {
  name: 'template create',
  arguments:
    '--instance S --name N [--alias A] --subject T --html @file|--mjml @file [--text @file] [--publish]',
  summary: 'Makes a mail template of HTML or MJML, as a draft unless told to publish it.',
  options: {
    instance,
    name: { type: 'string', about: 'What people find it by.' },
    alias: { type: 'string', about: 'What your code calls it: the template_alias of a send.' },
    subject: { type: 'string', about: 'Subject of the mails.' },
    html: { type: 'string', about: 'The HTML itself, or @ and the path of its file.' },
    mjml: { type: 'string', about: 'MJML in place of HTML, likewise.' },
    text: { type: 'string', about: 'Plain-text part, likewise (default made from the HTML).' },
    publish: { type: 'boolean', about: 'Publish it at once.' },
  },
  example:
    'chasqui template create --instance acme --name Welcome --subject "Hello {{ recipient.name }}" --html @welcome.html --publish',
  async run(input) {
    const template = await readTemplate(input);
    const saved = await withInstance(input, async (db, { id: instanceId }, { renderer }) => {
      const draft = await createTemplate(db, instanceId, { template, actor: operator, renderer });
      if (input.options['publish'] !== true) return draft;
      return await publishTemplate(db, instanceId, { id: draft.id, actor: operator });
    });
    const state = saved.is_published ? 'published' : 'a draft';
    return { text: `Template ${saved.id} '${saved.name}' is ${state}.`, json: saved };
  },
};

export const templateList = listCommand('template', {
  summary: 'Lists the mail templates of an instance.',
  what: 'templates',
  list: listTemplates,
  columns: {
    id: (template) => template.id,
    state: ({ is_published }) => (is_published ? 'published' : 'draft'),
    alias: ({ alias }) => alias ?? '',
    name: ({ name }) => name,
  },
});
