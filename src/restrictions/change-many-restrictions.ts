import { type Actor, recordAudits } from '../audit/index.ts';
import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { validationProblem, type Violation } from '../base/errors/problem.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { maxDetailCharacters } from './suppression.ts';
import {
  maxRestrictionChanges,
  type Restriction,
  type RestrictionChanges,
  type RestrictionCounts,
} from './suppression-schemas.ts';

const kind = 'mail_restriction';

/** All of it or, where one address is wrong, nothing. */
export async function changeRestrictions(
  tx: Queryable,
  instanceId: number,
  { changes, actor }: { changes: RestrictionChanges; actor: Actor },
): Promise<RestrictionCounts> {
  const { add, remove } = readChanges(changes);
  const added = await insertAll(tx, instanceId, add);
  const removed = await deleteAll(tx, instanceId, remove);
  const same = { instance_id: instanceId, actor, kind };
  await recordAudits(tx, { ...same, action: `${kind}.created`, objects: added.map(objectOf) });
  await recordAudits(tx, { ...same, action: `${kind}.deleted`, objects: removed.map(objectOf) });
  return {
    added: added.length,
    already_restricted: add.length - added.length,
    removed: removed.length,
    not_restricted: remove.length - removed.length,
  };
}

interface Addition {
  recipient: string;
  detail: string | null;
}

function readChanges({ add = [], remove = [] }: RestrictionChanges): { add: Addition[]; remove: string[] } {
  const violations: Violation[] = [];
  if (add.length + remove.length > maxRestrictionChanges) {
    const message = `One call changes at most ${maxRestrictionChanges} addresses`;
    violations.push({
      pointer: '',
      code: 'too_long',
      message,
      params: { max_length: maxRestrictionChanges },
    });
  }
  const read = (text: string, pointer: string): string => {
    const address = canonicalAddress(text)?.address;
    if (address !== undefined) return address;
    violations.push({ pointer, code: 'value_error.email', message: 'This is not a valid email address' });
    return '';
  };
  const added = add.map(({ recipient, detail }, index) => ({
    recipient: read(recipient, `/add/${index}/recipient`),
    detail: boundedText(detail, maxDetailCharacters),
  }));
  const removed = remove.map((text, index) => read(text, `/remove/${index}`));
  const both = new Set(added.map(({ recipient }) => recipient));
  removed.forEach((address, index) => {
    if (address === '' || !both.has(address)) return;
    const message = 'This address is to be added too';
    violations.push({ pointer: `/remove/${index}`, code: 'value_error.duplicate', message });
  });
  if (violations.length > 0) throw validationProblem(violations);
  return { add: added, remove: removed };
}

type Row = Pick<Restriction, 'id' | 'recipient' | 'reason' | 'mail_id' | 'detail'>;
const columns = 'id, recipient, reason, mail_id, detail';

/** In the order of the addresses, so that calls at the same time wait for each other and do not deadlock. */
async function insertAll(tx: Queryable, instanceId: number, add: Addition[]): Promise<Row[]> {
  if (add.length === 0) return [];
  return await tx.query<Row>(
    `insert into restrictions (instance_id, recipient, reason, detail)
     select $1, recipient, 'manual', detail from unnest($2::text[], $3::text[]) as added (recipient, detail)
     order by ${addressKey('recipient')}
     on conflict (instance_id, recipient_key) do nothing returning ${columns}`,
    [instanceId, add.map(({ recipient }) => recipient), add.map(({ detail }) => detail)],
  );
}

async function deleteAll(tx: Queryable, instanceId: number, remove: string[]): Promise<Row[]> {
  if (remove.length === 0) return [];
  return await tx.query<Row>(
    `with locked as materialized (
       select id from restrictions
       where instance_id = $1
         and recipient_key = any (array(select ${addressKey('address')} from unnest($2::text[]) as address))
       order by recipient_key for update
     )
     delete from restrictions where instance_id = $1 and id in (select id from locked) returning ${columns}`,
    [instanceId, remove],
  );
}

function objectOf({ id, ...details }: Row): { id: number; details: Record<string, unknown> } {
  return { id, details };
}
