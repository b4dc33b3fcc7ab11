import { Type, type Static } from 'typebox';
import { roles } from '../base/http/access.ts';
import { DateTime, Enum, Id } from '../base/http/schemas.ts';

const role = Enum(roles, { description: 'What the person may do in the instance.' });
const email = Type.String({
  description: 'Address the person signs in with.',
  examples: ['ana@example.com'],
});

export const Member = Type.Object(
  {
    id: Id('Identifier of the user.'),
    email,
    name: Type.String({ description: 'What people read; may be empty.' }),
    role,
    created_at: DateTime('Since when the person is a member.'),
  },
  { $id: 'Member' },
);
export type Member = Static<typeof Member>;

export const MemberChanges = Type.Object({ role }, { $id: 'MemberChanges' });

export const Invitation = Type.Object(
  {
    id: Id('Identifier of the invitation.'),
    email,
    role,
    created_at: DateTime('When it was sent.'),
    expires_at: DateTime('Until when it can be accepted.'),
  },
  { $id: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

export const NewInvitation = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 254, examples: ['ana@example.com'] }), role },
  { $id: 'NewInvitation' },
);
export type NewInvitation = Static<typeof NewInvitation>;

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'From the link in the mail: what follows the #.',
});

export const InvitationToken = Type.Object({ token }, { $id: 'InvitationToken' });

export const OpenInvitation = Type.Object(
  {
    email,
    role,
    instance: Type.Object({ slug: Type.String(), name: Type.String() }),
    has_account: Type.Boolean({ description: 'False: accepting takes a password for a new account.' }),
  },
  { $id: 'OpenInvitation' },
);
export type OpenInvitation = Static<typeof OpenInvitation>;

export const Acceptance = Type.Object(
  {
    token,
    name: Type.Optional(Type.String({ maxLength: 255, description: 'Of a new account.' })),
    password: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 1024,
        description: 'Of a new account; one that exists keeps its own.',
      }),
    ),
  },
  { $id: 'InvitationAcceptance' },
);
export type Acceptance = Static<typeof Acceptance>;

const created_at = '2026-12-01T12:00:00.000Z';
export const memberExample = { id: 3, email: 'ana@example.com', name: 'Ana', role: 'admin', created_at };
export const invitationExample = {
  id: 9,
  email: 'ana@example.com',
  role: 'developer',
  created_at,
  expires_at: '2026-12-08T12:00:00.000Z',
};
export const openInvitationExample = {
  email: 'ana@example.com',
  role: 'developer',
  instance: { slug: 'acme', name: 'Acme' },
  has_account: false,
};
