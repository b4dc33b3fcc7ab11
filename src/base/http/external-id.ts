import { Type } from 'typebox';
import { Nullable } from './schemas.ts';

const description =
  'Your own name of it, such as its address in Terraform: at most one of its kind in the instance has it, until it is deleted. 1 to 128 letters, digits and `. _ : / -`.';

/** A name that the caller gives: creating with one that is taken is refused, and the answer says what has it. */
export const ExternalId = Nullable(
  Type.String({ pattern: '^[A-Za-z0-9._:/-]{1,128}$', description, examples: ['shop/newsletter'] }),
);

/** For the query of a collection. */
export const externalIdFilter = {
  external_id: Type.Optional(
    Nullable(Type.String({ maxLength: 128, description: 'Only the one with this `external_id`.' })),
  ),
};
