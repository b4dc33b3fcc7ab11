import { Type, type Static } from 'typebox';
import { roles } from '../base/http/access.ts';
import { PasskeyAssertion } from './passkeys/passkey-schemas.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';

const email = { description: 'Address the person signs in with.', examples: ['ana@example.com'] };

export const Login = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, pattern: '@', ...email }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    code: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 40,
        description: 'Of the authenticator app, or a recovery code, where the account has a second factor.',
      }),
    ),
    passkey: Type.Optional(PasskeyAssertion),
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
      Type.Object(
        {
          slug: Type.String(),
          name: Type.String(),
          role,
          needs_second_factor: Type.Boolean({
            description: 'The instance demands a second factor and the user has none: set one up first.',
          }),
        },
        { $id: 'UserInstance' },
      ),
      { description: 'Where the user is a member, by name.' },
    ),
  },
  { $id: 'PanelSession' },
);
export type PanelSession = Static<typeof PanelSession>;

export const languages = ['en', 'es'] as const;
export const themes = ['system', 'light', 'dark'] as const;

export const Me = Type.Object(
  {
    user: User,
    is_operator: Type.Boolean({ description: 'Whether the user runs the installation.' }),
    language: Nullable(Enum(languages, { description: 'Null: as the browser asks for.' })),
    theme: Enum(themes),
    has_password: Type.Boolean({
      description:
        'False: the account was made by a sign-in of a provider. A password can be chosen by mail.',
    }),
    two_factor: Type.Object({
      is_enabled: Type.Boolean({ description: 'Whether a sign-in asks for a code.' }),
      recovery_codes_left: Type.Integer(),
    }),
    instances: Type.Array(
      Type.Object(
        {
          slug: Type.String(),
          name: Type.String(),
          role,
          timezone: Type.String({ description: 'IANA zone of its dates.' }),
          is_enabled: Type.Boolean({ description: 'False: its API keys are refused.' }),
        },
        { $id: 'Membership' },
      ),
      { description: 'Where the user is a member, by name.' },
    ),
  },
  { $id: 'Me' },
);
export type Me = Static<typeof Me>;

export const MyChanges = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    language: Type.Optional(Nullable(Enum(languages))),
    theme: Type.Optional(Enum(themes)),
  },
  { $id: 'MyChanges' },
);
export type MyChanges = Static<typeof MyChanges>;

const user = { id: 3, email: 'ana@example.com', name: 'Ana' };

export const sessionExample = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzaWQiOiI…',
  token_type: 'Bearer',
  expires_in: 900,
  user,
  instances: [{ slug: 'acme', name: 'Acme', role: 'admin', needs_second_factor: false }],
};

export const meExample = {
  user,
  is_operator: false,
  language: 'es',
  theme: 'system',
  has_password: true,
  two_factor: { is_enabled: true, recovery_codes_left: 10 },
  instances: [{ slug: 'acme', name: 'Acme', role: 'admin', timezone: 'America/Santiago', is_enabled: true }],
};
