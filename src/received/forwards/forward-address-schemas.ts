import { Type, type Static } from 'typebox';
import { DateTime, Id, Nullable } from '../../base/http/schemas.ts';

export const ForwardAddress = Type.Object(
  {
    id: Id('Identifier of the address.'),
    address: Type.String({ description: 'Where routes may forward to.', examples: ['ana@example.org'] }),
    is_verified: Type.Boolean({ description: 'Whether the link in the mail was confirmed.' }),
    verified_at: Nullable(DateTime('When.')),
    asked_at: DateTime('When it was last asked. Its link is good for seven days.'),
    created_at: DateTime('When it was added.'),
  },
  { $id: 'ForwardAddress' },
);
export type ForwardAddress = Static<typeof ForwardAddress>;

export const forwardAddressExample = {
  id: 3,
  address: 'ana@example.org',
  is_verified: false,
  verified_at: null,
  asked_at: '2026-12-01T12:00:00.000Z',
  created_at: '2026-12-01T12:00:00.000Z',
};
