import { MailTemplateChanges } from '../../templates/template-schemas.ts';
import {
  deleteTemplate,
  publishTemplate,
  unpublishTemplate,
  updateTemplate,
} from '../../templates/templates.ts';
import { idOf, instance, optional, textOf, type Command, type CommandInput } from '../command.ts';
import { operator, withInstance } from './with-store.ts';
import { requireValid } from './require-valid.ts';

/** Only what was given changes. */
async function readChanges(input: CommandInput): Promise<MailTemplateChanges> {
  const [html, mjml, text] = await Promise.all(
    ['html', 'mjml', 'text'].map(async (name) => await textOf(input, name)),
  );
  if (html !== undefined && mjml !== undefined) throw new Error('Give either --html or --mjml.');
  const source = mjml ?? html;
  const given = {
    name: optional(input, 'name'),
    alias: optional(input, 'alias'),
    subject: optional(input, 'subject'),
    text,
    source,
    editor: source === undefined ? undefined : mjml === undefined ? 'html' : 'mjml',
  };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0) throw new Error('Give at least one thing to change.');
  requireValid(MailTemplateChanges, changes);
  return changes;
}

export const templateEdit: Command = {
  name: 'template edit',
  arguments:
    '--instance S ID [--name N] [--alias A] [--subject T] [--html @file|--mjml @file] [--text @file]',
  summary: 'Changes a template; what is not given stays.',
  options: {
    instance,
    name: { type: 'string', about: 'What people find it by.' },
    alias: { type: 'string', about: 'What your code calls it: the template_alias of a send.' },
    subject: { type: 'string', about: 'Subject of the mails.' },
    html: { type: 'string', about: 'The HTML itself, or @ and the path of its file.' },
    mjml: { type: 'string', about: 'MJML in place of HTML, likewise.' },
    text: { type: 'string', about: 'Plain-text part, likewise.' },
  },
  example: 'chasqui template edit --instance acme 7 --subject "Welcome, {{ recipient.name }}"',
  async run(input) {
    const change = { id: idOf(input), changes: await readChanges(input), actor: operator };
    const saved = await withInstance(
      input,
      async (db, { id: instanceId }, { renderer }) =>
        await updateTemplate(db, instanceId, { ...change, renderer }),
    );
    return { text: `Template ${saved.id} '${saved.name}' is changed.`, json: saved };
  },
};

function templateCommand(verb: string, summary: string, change: typeof publishTemplate): Command {
  return {
    name: `template ${verb}`,
    arguments: '--instance S ID',
    summary,
    options: { instance },
    example: `chasqui template ${verb} --instance acme 7`,
    async run(input) {
      const id = idOf(input);
      const saved = await withInstance(
        input,
        async (db, { id: instanceId }) => await change(db, instanceId, { id, actor: operator }),
      );
      return { text: `Template ${id} is ${saved.is_published ? 'published' : 'a draft'}.`, json: saved };
    },
  };
}

export const templatePublish = templateCommand('publish', 'Lets every send use a template.', publishTemplate);
export const templateUnpublish = templateCommand(
  'unpublish',
  'Makes a template a draft again: only sends in test mode can use it.',
  unpublishTemplate,
);

export const templateDelete: Command = {
  name: 'template delete',
  arguments: '--instance S ID',
  summary: 'Deletes a template; mail that was accepted keeps its content.',
  options: { instance },
  example: 'chasqui template delete --instance acme 7',
  async run(input) {
    const id = idOf(input);
    await withInstance(
      input,
      async (db, { id: instanceId }) => await deleteTemplate(db, instanceId, { id, actor: operator }),
    );
    return { text: `Template ${id} is deleted.`, json: { id } };
  },
};
