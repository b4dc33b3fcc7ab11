import type { Queryable } from '../../base/db/database.ts';
import { updateTerm } from '../../consent/catalogue/change-term.ts';
import { publishVersion, setCurrentVersion } from '../../consent/catalogue/term-versions.ts';
import { getTerm } from '../../consent/catalogue/terms.ts';
import { idOf, instance, required, type Command, type CommandInput } from '../command.ts';
import { addVersionFrom, readVersion } from './term.ts';
import { changeInstance, operator } from './with-store.ts';

const version = { type: 'string', about: 'Label of the version.' } as const;

async function onTerm<T>(
  input: CommandInput,
  change: (tx: Queryable, instanceId: number, termId: number) => Promise<T>,
): Promise<T> {
  const term_id = idOf(input);
  return await changeInstance(input, async (tx, { id }) => await change(tx, id, term_id));
}

export const termAddVersion: Command = {
  name: 'term add-version',
  arguments: '--instance S ID --version V --body @file [--document-url U] [--current]',
  summary: 'Adds a version to a term, a draft unless told that it is current.',
  options: {
    instance,
    version,
    body: { type: 'string', about: 'The legal text itself, or @ and the path of its file.' },
    'document-url': { type: 'string', about: 'Where the document can be read in full.' },
    current: { type: 'boolean', about: 'Publish the version, and let new consents go to it.' },
  },
  example: 'chasqui term add-version --instance acme 4 --version 1.1 --body @terms.txt --current',
  async run(input) {
    const wanted = await readVersion(input);
    const is_current = input.options['current'] === true;
    const added = await onTerm(
      input,
      async (tx, instanceId, term_id) =>
        await addVersionFrom(tx, instanceId, { term_id, version: wanted, is_current }),
    );
    const state = is_current ? 'is current' : 'is a draft';
    return { text: `Version ${added.version} (id ${added.id}) ${state}.`, json: added };
  },
};

function versionCommand(verb: string, summary: string, change: typeof publishVersion): Command {
  return {
    name: `term ${verb}`,
    arguments: '--instance S ID --version V',
    summary,
    options: { instance, version },
    example: `chasqui term ${verb} --instance acme 4 --version 1.1`,
    async run(input) {
      const label = required(input, 'version');
      const changed = await onTerm(input, async (tx, instanceId, term_id) => {
        const { versions } = await getTerm(tx, instanceId, term_id);
        const found = versions.find((each) => each.version === label);
        if (!found) throw new Error(`Term ${term_id} has no version '${label}'.`);
        return await change(tx, instanceId, { term_id, id: found.id, actor: operator });
      });
      const state = changed.is_current ? 'current' : 'published';
      return { text: `Version ${label} is ${state}.`, json: changed };
    },
  };
}

export const termPublish = versionCommand('publish', 'Makes the words of a version final.', publishVersion);
export const termSetCurrent = versionCommand(
  'set-current',
  'Lets new consents go to a published version.',
  setCurrentVersion,
);

function activityCommand(verb: 'deactivate' | 'activate', summary: string): Command {
  const changes = { is_active: verb === 'activate' };
  return {
    name: `term ${verb}`,
    arguments: '--instance S ID',
    summary,
    options: { instance },
    example: `chasqui term ${verb} --instance acme 4`,
    async run(input) {
      const term = await onTerm(
        input,
        async (tx, instanceId, id) => await updateTerm(tx, instanceId, { id, changes, actor: operator }),
      );
      return { text: `Term ${term.id} is ${term.is_active ? 'active' : 'inactive'}.`, json: term };
    },
  };
}

export const termDeactivate = activityCommand('deactivate', 'Lets a term receive no new consents.');
export const termActivate = activityCommand('activate', 'Lets a term receive consents again.');
