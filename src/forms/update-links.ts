import type { Queryable } from '../base/db/database.ts';
import { IdTokens } from '../base/id-tokens.ts';
import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';
import type { RootSecret } from '../base/secrets.ts';
import { storableAddress } from '../audit/index.ts';

/** A link shows what a person told, so it works for less time than one that only confirms. */
export const linkHours = 24;

/** Identifies a link that opens a form of type update. */
export class UpdateTokens extends IdTokens {
  constructor(secret: RootSecret) {
    super(secret, 'form-token update');
  }
}

export interface UpdateLink {
  id: number;
  instance_id: number;
  form_id: number;
  public_token: string;
  /** Whose mailbox the link was in. */
  email: string;
  state: 'open' | 'used' | 'over';
}

/** Taken before the link is stored, since the mail has it inside. */
export async function nextLinkId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('form_update_links', 'id')) as id`,
  );
  return (row as { id: number }).id;
}

interface NewUpdateLink extends Pick<UpdateLink, 'id' | 'instance_id' | 'form_id' | 'email'> {
  /** Of the person who asked. */
  address: string | undefined;
  at: Date;
}

export async function storeLink(
  tx: Queryable,
  { id, instance_id, form_id, email, address, at }: NewUpdateLink,
): Promise<void> {
  await tx.query(
    `insert into form_update_links (id, instance_id, form_id, email, address, created_at, expires_at)
     overriding system value
     values ($1, $2, $3, $4, $5, $6::timestamptz, $6::timestamptz + make_interval(hours => $7))`,
    [id, instance_id, form_id, email, storableAddress(address), at, linkHours],
  );
}

export async function findLink(
  db: Queryable,
  id: number | undefined,
  now: Date,
): Promise<UpdateLink | undefined> {
  if (id === undefined) return undefined;
  const [link] = await db.query<UpdateLink & Record<string, unknown>>(
    `select l.id, l.instance_id, l.form_id, f.public_token, l.email,
       case when l.used_at is not null then 'used' when l.expires_at <= $2 then 'over' else 'open' end as state
     from form_update_links l join forms f on f.id = l.form_id where l.id = $1`,
    [id, now],
  );
  return link;
}

/** Whether it was still open: it works once. An erasure of its person deletes it, and waits for this transaction. */
export async function useLink(tx: Queryable, id: number, now: Date): Promise<boolean> {
  const used = await tx.query(
    `update form_update_links set used_at = $2 where id = $1 and used_at is null and expires_at > $2 returning id`,
    [id, now],
  );
  return used.length > 0;
}

/** Long enough to tell who comes late that the link is over. */
const keptHours = 24;

export const purgeUpdateLinksJob: Job = {
  name: 'purge_form_update_links',
  every_ms: 60 * 60_000,
  destructive: true,
  async run(context) {
    const purged = await deleteInBatches(
      context,
      `delete from form_update_links where id in (
         select id from form_update_links where expires_at < $1::timestamptz - make_interval(hours => ${keptHours})
         order by expires_at limit $2) returning id`,
      [context.now],
    );
    return `${purged} links purged`;
  },
};
