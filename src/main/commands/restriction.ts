import { open } from 'node:fs/promises';
import { addRestriction, removeRestriction } from '../../restrictions/change-restrictions.ts';
import { importRestrictions } from '../../restrictions/import-restrictions.ts';
import { NewRestriction, type ImportReport } from '../../restrictions/suppression-schemas.ts';
import { instance, optional, wordOf, type Command } from '../command.ts';
import { withProgress } from '../progress.ts';
import { requireValid } from './require-valid.ts';
import { changeInstance, operator } from './with-store.ts';

export const restrictionAdd: Command = {
  name: 'restriction add',
  arguments: '--instance S ADDRESS [--detail T]',
  summary: 'Restricts an address: no sender of the instance writes to it from now on.',
  options: { instance, detail: { type: 'string', about: 'The reason, shown in the list.' } },
  example: 'chasqui restriction add --instance acme ana@example.com --detail "Asked by phone"',
  async run(input) {
    const recipient = wordOf(input, 'the address');
    const restriction: NewRestriction = { recipient, detail: optional(input, 'detail') ?? null };
    requireValid(NewRestriction, restriction);
    const added = await changeInstance(
      input,
      async (tx, { id }) => await addRestriction(tx, id, { restriction, actor: operator }),
    );
    return { text: `${added.recipient} is restricted.`, json: added };
  },
};

export const restrictionRemove: Command = {
  name: 'restriction remove',
  arguments: '--instance S ADDRESS',
  summary: 'Lifts the restriction of an address.',
  options: { instance },
  example: 'chasqui restriction remove --instance acme ana@example.com',
  async run(input) {
    const restriction = { recipient: wordOf(input, 'the address') };
    const removed = await changeInstance(
      input,
      async (tx, { id }) => await removeRestriction(tx, id, { restriction, actor: operator }),
    );
    return { text: `${removed.recipient} is not restricted any more.`, json: removed };
  },
};

export const restrictionImport: Command = {
  name: 'restriction import',
  arguments: '--instance S FILE',
  summary: 'Restricts every address of a CSV file, and tells which lines were refused.',
  options: { instance },
  example: 'chasqui restriction import --instance acme suppressed.csv',
  async run(input) {
    await using file = await open(wordOf(input, 'the path of the file'));
    const { size } = await file.stat();
    const content = withProgress(file.createReadStream(), { work: 'import', total: size });
    const report = await changeInstance(
      input,
      async (tx, { id }) => await importRestrictions(tx, id, { file: content, actor: operator }),
    );
    return { text: describe(report), json: report };
  },
};

function describe({ rows, added, already_restricted, refused }: ImportReport): string {
  return [
    `${rows} rows: ${added} added, ${already_restricted} restricted already, ${refused.length} refused`,
    ...refused.map(({ line, value, reason }) => `  line ${line}: ${reason}: ${JSON.stringify(value)}`),
  ].join('\n');
}
