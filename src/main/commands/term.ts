import type { Queryable } from '../../base/db/database.ts';
import { createTerm } from '../../consent/catalogue/change-term.ts';
import {
  NewConsentTerm,
  NewConsentTermVersion,
  type ConsentTerm,
  type ConsentTermVersion,
} from '../../consent/catalogue/term-schemas.ts';
import { addVersion, publishVersion, setCurrentVersion } from '../../consent/catalogue/term-versions.ts';
import { getTerm, listTerms } from '../../consent/catalogue/terms.ts';
import { instance, list, optional, required, textOf, type Command, type CommandInput } from '../command.ts';
import { purposeId } from './purpose.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator } from './with-store.ts';
import { requireValid } from './require-valid.ts';

/** The text that `--version`, `--body` and `--document-url` describe. */
export async function readVersion(input: CommandInput): Promise<NewConsentTermVersion> {
  const body = await textOf(input, 'body');
  if (body === undefined) throw new Error('--body is required.');
  const version = {
    version: required(input, 'version'),
    body,
    document_url: optional(input, 'document-url') ?? null,
  };
  requireValid(NewConsentTermVersion, version);
  return version;
}

/** Adds a version, and with `--current` publishes it and lets new consents go to it. */
export async function addVersionFrom(
  tx: Queryable,
  instanceId: number,
  given: { term_id: number; version: NewConsentTermVersion; is_current: boolean },
): Promise<ConsentTermVersion> {
  const { term_id, version, is_current } = given;
  const added = await addVersion(tx, instanceId, { term_id, version, actor: operator });
  if (!is_current) return added;
  const of = { term_id, id: added.id, actor: operator };
  await publishVersion(tx, instanceId, of);
  return await setCurrentVersion(tx, instanceId, of);
}

async function createFrom(tx: Queryable, instanceId: number, input: CommandInput): Promise<ConsentTerm> {
  const purpose_ids: number[] = [];
  for (const code of list(optional(input, 'purposes'))) {
    purpose_ids.push(await purposeId(tx, instanceId, code));
  }
  const term = {
    name: required(input, 'name'),
    type: required(input, 'type'),
    purpose_ids,
    channels: list(optional(input, 'channels')),
  };
  requireValid(NewConsentTerm, term);
  const wanted = { term: term as NewConsentTerm, actor: operator };
  return await createTerm(tx, instanceId, wanted);
}

export const termCreate: Command = {
  name: 'term create',
  arguments:
    '--instance S --name N --type T --purposes a,b --channels mail,sms --body @file --version V [--document-url U] [--current]',
  summary: 'Makes a consent term with its first version, a draft unless told that it is current.',
  options: {
    instance,
    name: { type: 'string', about: 'What people find it by.' },
    type: {
      type: 'string',
      about: 'data_processing, service_terms, marketing, subscription or other.',
    },
    purposes: { type: 'string', about: 'Codes of its purposes; they cannot be changed later.' },
    channels: { type: 'string', about: 'Among mail, sms, wsp, call and push.' },
    body: { type: 'string', about: 'The legal text itself, or @ and the path of its file.' },
    version: { type: 'string', about: 'Label of the version.' },
    'document-url': { type: 'string', about: 'Where the document can be read in full.' },
    current: { type: 'boolean', about: 'Publish the version, and let new consents go to it.' },
  },
  example:
    'chasqui term create --instance acme --name Newsletter --type subscription --purposes newsletter --channels mail --body @terms.txt --version 1.0 --current',
  async run(input) {
    const version = await readVersion(input);
    const term = await changeInstance(input, async (tx, { id: instanceId }) => {
      const { id } = await createFrom(tx, instanceId, input);
      const is_current = input.options['current'] === true;
      await addVersionFrom(tx, instanceId, { term_id: id, version, is_current });
      return await getTerm(tx, instanceId, id);
    });
    return { text: `Term ${term.id} '${term.name}' is there, ${stateOf(term)}.`, json: term };
  },
};

export const termList = listCommand('term', {
  summary: 'Lists the consent terms of an instance.',
  what: 'consent terms',
  list: listTerms,
  columns: { id: (term) => term.id, name: ({ name }) => name, state: stateOf },
});

function stateOf({ is_active, versions }: ConsentTerm): string {
  if (!is_active) return 'inactive';
  const current = versions.find((version) => version.is_current);
  return current ? `version ${current.version} is current` : 'no version is current';
}
