import type { Queryable } from '../../base/db/database.ts';
import { createPurpose, deletePurpose, updatePurpose } from '../../consent/catalogue/change-purpose.ts';
import { NewConsentPurpose } from '../../consent/catalogue/purpose-schemas.ts';
import { findPurposeByCode, listPurposes } from '../../consent/catalogue/purposes.ts';
import { instance, optional, required, wordOf, type Command, type CommandInput } from '../command.ts';
import { listCommand } from './list-command.ts';
import { changeInstance, operator } from './with-store.ts';
import { requireValid } from './require-valid.ts';

/** The identifier of a purpose that a command names by its code. */
export async function purposeId(tx: Queryable, instanceId: number, code: string): Promise<number> {
  const purpose = await findPurposeByCode(tx, instanceId, code);
  if (!purpose) throw new Error(`There is no purpose '${code}' in this instance.`);
  return purpose.id;
}

export const purposeCreate: Command = {
  name: 'purpose create',
  arguments: '--instance S --code C --name N [--description T]',
  summary: 'Adds a purpose that contacts can be written to for.',
  options: {
    instance,
    code: { type: 'string', about: 'What senders and terms name it by; it never changes.' },
    name: { type: 'string', about: 'What people read.' },
    description: { type: 'string', about: 'What contacts are written to for.' },
  },
  example: 'chasqui purpose create --instance acme --code events --name "Invitations to events"',
  async run(input) {
    const wanted: NewConsentPurpose = {
      code: required(input, 'code'),
      name: required(input, 'name'),
      description: optional(input, 'description') ?? null,
    };
    requireValid(NewConsentPurpose, wanted);
    const purpose = await changeInstance(
      input,
      async (tx, { id }) => await createPurpose(tx, id, { purpose: wanted, actor: operator }),
    );
    return { text: `Purpose '${purpose.code}' (id ${purpose.id}) is there.`, json: purpose };
  },
};

export const purposeList = listCommand('purpose', {
  summary: 'Lists the purposes of an instance.',
  what: 'purposes',
  list: listPurposes,
  columns: {
    id: (purpose) => purpose.id,
    state: ({ is_enabled }) => (is_enabled ? 'enabled' : 'disabled'),
    code: ({ code }) => code,
    name: ({ name }) => name,
  },
});

/** Runs `change` on the purpose whose code is the command's one word. */
async function onPurpose<T>(
  input: CommandInput,
  change: (tx: Queryable, instanceId: number, id: number) => Promise<T>,
): Promise<T> {
  const code = wordOf(input, 'the code of the purpose');
  return await changeInstance(
    input,
    async (tx, { id }) => await change(tx, id, await purposeId(tx, id, code)),
  );
}

function switchCommand(verb: 'disable' | 'enable', summary: string): Command {
  const changes = { is_enabled: verb === 'enable' };
  return {
    name: `purpose ${verb}`,
    arguments: '--instance S CODE',
    summary,
    options: { instance },
    example: `chasqui purpose ${verb} --instance acme events`,
    async run(input) {
      const purpose = await onPurpose(
        input,
        async (tx, instanceId, id) => await updatePurpose(tx, instanceId, { id, changes, actor: operator }),
      );
      return { text: `Purpose '${purpose.code}' is ${verb}d.`, json: purpose };
    },
  };
}

export const purposeDisable = switchCommand('disable', 'Gives a purpose to no new terms.');
export const purposeEnable = switchCommand('enable', 'Lets new terms be for a purpose again.');

export const purposeDelete: Command = {
  name: 'purpose delete',
  arguments: '--instance S CODE',
  summary: 'Deletes a purpose that no term, sender or recorded consent is for.',
  options: { instance },
  example: 'chasqui purpose delete --instance acme events',
  async run(input) {
    const id = await onPurpose(input, async (tx, instanceId, purpose) => {
      await deletePurpose(tx, instanceId, { id: purpose, actor: operator });
      return purpose;
    });
    return { text: `Purpose ${id} is deleted.`, json: { id } };
  },
};
