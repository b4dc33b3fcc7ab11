import type { Queryable } from '../base/db/database.ts';
import { type FillableForm, findFillableForm, isClosed } from './fillable-form.ts';

export interface DefaultForm {
  title: string;
  public_token: string;
}

/**
 * The form that a page links to by default: the default of its type that is open. Where both kinds have one, that which
 * asks for any field.
 */
export async function findDefaultForm(
  db: Queryable,
  instanceId: number,
  type: FillableForm['type'],
): Promise<DefaultForm | undefined> {
  const found = await db.query<{ public_token: string }>(
    `select public_token from forms
     where instance_id = $1 and type = $2 and is_default and is_active and deleted_at is null order by kind`,
    [instanceId, type],
  );
  for (const { public_token } of found) {
    const form = await findFillableForm(db, public_token);
    if (form && !isClosed(form)) return { title: form.settings?.title || form.name, public_token };
  }
  return undefined;
}
