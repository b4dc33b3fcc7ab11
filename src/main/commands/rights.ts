import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { contactTypes } from '../../base/contacts.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { erasureLines, listErasures } from '../../restrictions/erasure-list.ts';
import { extendRequest, fulfilRequest, liftRequest, refuseRequest } from '../../rights/decide-request.ts';
import { openRequest } from '../../rights/open-request.ts';
import { NewRightsRequest, requestKinds, type RightsRequest } from '../../rights/request-schemas.ts';
import { getRequest, listRequests } from '../../rights/requests.ts';
import { cancelErasure } from '../../rights/stop-erasure.ts';
import { idOf, instance, optional, required, type Command, type CommandInput } from '../command.ts';
import { readRootSecret } from '../root-secret.ts';
import { requireValid } from './require-valid.ts';
import { changeInstance, operator, withInstance, withStore } from './with-store.ts';

function hashesOf(config: Config): ContactHashes {
  return new ContactHashes(readRootSecret(config));
}

function line({ id, kind, status, due_at, is_overdue, contacts, ...erasure }: RightsRequest): string {
  const who = contacts.map(({ contact }) => contact).join(', ') || 'erased';
  const due =
    status === 'open' ? `  due ${due_at.toISOString().slice(0, 10)}${is_overdue ? '  OVERDUE' : ''}` : '';
  const { started_at, stop_reason } = erasure;
  const state = stop_reason === null ? 'erasing' : `stopped: ${stop_reason}`;
  const progress = status === 'open' && (started_at !== null || stop_reason !== null) ? `  ${state}` : '';
  return `${id}  ${kind}  ${status}${progress}${due}  ${who}`;
}

export const rightsList: Command = {
  name: 'rights list',
  arguments: '--instance S',
  summary: 'Lists privacy requests, the next due first.',
  options: { instance },
  example: 'chasqui rights list --instance acme',
  async run(input) {
    return await withInstance(input, async (db, { id }, { config }) => {
      const asked = { filters: { page_size: 100 }, hashes: hashesOf(config), now: new Date() };
      const { data } = await listRequests(db, id, asked);
      return { text: data.map(line).join('\n') || 'There are no requests.', json: data };
    });
  },
};

export const rightsOpen: Command = {
  name: 'rights open',
  arguments: '--instance S --kind K CONTACT...',
  summary: 'Records a request of a person: emails as they are, phone:… and code:… for the others.',
  options: {
    instance,
    kind: { type: 'string', about: requestKinds.join(', ') },
    detail: { type: 'string', about: 'What the person said.' },
  },
  example: 'chasqui rights open --instance acme --kind erasure ana@example.com phone:+56912345678',
  async run(input) {
    const request = {
      kind: required(input, 'kind'),
      contacts: input.words.map(contactOf),
      detail: optional(input, 'detail') ?? null,
    } as NewRightsRequest;
    requireValid(NewRightsRequest, request);
    const now = new Date();
    return await withInstance(input, async (db, { id }, { config }) => {
      const hashes = hashesOf(config);
      const opened = await db.transaction(async (tx) => {
        const made = await openRequest(tx, id, { request, origin: 'api', hashes, actor: operator, now });
        return await getRequest(tx, id, { id: made.id, now });
      });
      return { text: line(opened), json: opened };
    });
  },
};

function contactOf(word: string): NewRightsRequest['contacts'][number] {
  const [email, phone, code] = contactTypes;
  if (word.startsWith('phone:')) return { contact_type: phone, contact: word.slice(6) };
  if (word.startsWith('code:')) return { contact_type: code, contact: word.slice(5) };
  return { contact_type: email, contact: word };
}

type Decide = (
  tx: Queryable,
  instanceId: number,
  asked: { id: number; input: CommandInput },
) => Promise<void>;

function decision(name: string, command: Omit<Command, 'name' | 'run' | 'example'>, decide: Decide): Command {
  return {
    ...command,
    name: `rights ${name}`,
    options: { instance, ...command.options },
    example: `chasqui rights ${name} --instance acme 42${name === 'refuse' ? ' --ground "Identity not established"' : ''}`,
    async run(input) {
      const id = idOf(input);
      const request = await changeInstance(input, async (tx, { id: instanceId }) => {
        await decide(tx, instanceId, { id, input });
        return await getRequest(tx, instanceId, { id, now: new Date() });
      });
      return { text: line(request), json: request };
    },
  };
}

export const rightsFulfil = decision(
  'fulfil',
  {
    arguments: '--instance S ID [--resolution T]',
    summary: 'Carries a request out. An erasure cannot be undone; one that was stopped goes on.',
    options: { resolution: { type: 'string', about: 'What was done, for the record.' } },
  },
  async (tx, instanceId, { id, input }) => {
    const resolution = optional(input, 'resolution') ?? null;
    await fulfilRequest(tx, instanceId, { id, resolution, actor: operator, now: new Date() });
  },
);

export const rightsRefuse = decision(
  'refuse',
  {
    arguments: '--instance S ID --ground T',
    summary: 'Refuses a request on a legal ground.',
    options: { ground: { type: 'string', about: 'The ground.' } },
  },
  async (tx, instanceId, { id, input }) => {
    const ground = required(input, 'ground');
    await refuseRequest(tx, instanceId, { id, ground, actor: operator, now: new Date() });
  },
);

export const rightsExtend = decision(
  'extend',
  {
    arguments: '--instance S ID --reason T',
    summary: 'Extends the time to answer a request, once, by 30 days.',
    options: { reason: { type: 'string', about: 'Why.' } },
  },
  async (tx, instanceId, { id, input }) => {
    const reason = required(input, 'reason');
    await extendRequest(tx, instanceId, { id, reason, actor: operator, now: new Date() });
  },
);

export const rightsLift = decision(
  'lift',
  { arguments: '--instance S ID', summary: 'Lifts a blocking: the person is written to again.', options: {} },
  async (tx, instanceId, { id }) =>
    await liftRequest(tx, instanceId, { id, actor: operator, now: new Date() }),
);

export const rightsCancel = decision(
  'cancel',
  {
    arguments: '--instance S ID',
    summary: 'Cancels an erasure that is under way or was stopped. What was erased stays erased.',
    options: {},
  },
  async (tx, instanceId, { id }) =>
    await cancelErasure(tx, instanceId, { id, actor: operator, now: new Date() }),
);

export const rightsErasures: Command = {
  name: 'rights erasures',
  arguments: '',
  summary:
    'Prints the list of erasures, for `chasqui restore --erasures`. It contains keyed hashes and no names.',
  options: {},
  example: 'chasqui rights erasures > erasures.jsonl',
  async run(input) {
    return await withStore(input.env, async (db) => {
      const erasures = await listErasures(db);
      return { text: erasureLines(erasures).trimEnd(), json: erasures };
    });
  },
};
