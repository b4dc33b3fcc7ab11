import { Type, type Static } from 'typebox';
import { roles } from '../base/http/access.ts';
import { Enum, Id } from '../base/http/schemas.ts';

const email = { description: 'Address the person signs in with.', examples: ['ana@example.com'] };

export const Login = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, pattern: '@', ...email }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  },
  { $id: 'Login' },
);

export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 1024 }),
    new_password: Type.String({ minLength: 12, maxLength: 1024 }),
  },
  { $id: 'PasswordChange' },
);

const User = Type.Object(
  {
    id: Id('Identifier of the user.'),
    email: Type.String(email),
    name: Type.String({ description: 'What people read; may be empty.' }),
  },
  { $id: 'User' },
);

const role = Enum(roles, { description: 'What the user may do in the instance.' });

export const PanelSession = Type.Object(
  {
    access_token: Type.String({ description: 'Goes into `Authorization: Bearer`.' }),
    token_type: Enum(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds for which the access token holds.', examples: [900] }),
    user: User,
    instances: Type.Array(
      Type.Object({ slug: Type.String(), name: Type.String(), role }, { $id: 'UserInstance' }),
      { description: 'Where the user is a member, by name.' },
    ),
  },
  { $id: 'PanelSession' },
);
export type PanelSession = Static<typeof PanelSession>;

export const Me = Type.Object(
  {
    user: User,
    instance: Type.Object({
      slug: Type.String(),
      name: Type.String(),
      timezone: Type.String(),
      is_enabled: Type.Boolean({ description: 'False: its API keys are refused.' }),
    }),
    role,
  },
  { $id: 'Me' },
);
export type Me = Static<typeof Me>;

const user = { id: 3, email: 'ana@example.com', name: 'Ana' };

export const sessionExample = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzaWQiOiI…',
  token_type: 'Bearer',
  expires_in: 900,
  user,
  instances: [{ slug: 'acme', name: 'Acme', role: 'admin' }],
};

export const meExample = {
  user,
  instance: { slug: 'acme', name: 'Acme', timezone: 'America/Santiago', is_enabled: true },
  role: 'admin',
};
