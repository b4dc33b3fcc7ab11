import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { PasskeyAssertion } from '../passkeys/passkey-schemas.ts';
import { PanelSession, sessionExample } from '../session-schemas.ts';

export const SignInMethods = Type.Object(
  {
    single_sign_on: Nullable(
      Type.Object({
        name: Type.String({ description: 'Of the provider, for its button.', examples: ['Acme'] }),
      }),
    ),
    passkeys: Type.Boolean({ description: 'Whether browsers offer passkeys at this address.' }),
  },
  { $id: 'SignInMethods' },
);
export const signInMethodsExample = { single_sign_on: { name: 'Acme' }, passkeys: true };

export const SingleSignOnStart = Type.Object(
  { url: Type.String({ description: 'Where the browser goes: a page of the provider.' }) },
  { $id: 'SingleSignOnStart' },
);
export const singleSignOnStartExample = {
  url: 'https://id.example.com/authorize?client_id=chasqui&response_type=code&state=…',
};

export const SingleSignOnReturn = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'What the provider added to the address it sent the browser back to.',
      examples: ['code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj'],
    }),
  },
  { $id: 'SingleSignOnReturn' },
);

const steps = ['signed_in', 'password', 'code'] as const;

export const SingleSignOnResult = Type.Object(
  {
    next: Enum(steps, {
      description:
        '`password`: an account with this email exists; its password links it. `code`: the account has a second factor.',
    }),
    email: Nullable(Type.String({ description: 'Of the account that `next` is about.' })),
    session: Nullable(PanelSession),
  },
  { $id: 'SingleSignOnResult' },
);
export type SingleSignOnResult = Static<typeof SingleSignOnResult>;
export const singleSignOnResultExample = { next: 'signed_in', email: null, session: sessionExample };

export const SingleSignOnCompletion = Type.Object(
  {
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, description: 'Where `next` is `password`.' }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 40,
        description: 'Of the authenticator app, or a recovery code, where the account has a second factor.',
      }),
    ),
    passkey: Type.Optional(PasskeyAssertion),
  },
  { $id: 'SingleSignOnCompletion' },
);

export const AccountIdentity = Type.Object(
  {
    id: Id('Identifier of the link.'),
    issuer: Type.String({ description: 'Who tells that it is the user.' }),
    email: Type.String({ description: 'As the provider told it at the last sign-in.' }),
    created_at: DateTime('When it was linked.'),
    last_used_at: DateTime('When it was last used to sign in.'),
  },
  { $id: 'AccountIdentity' },
);
export type AccountIdentity = Static<typeof AccountIdentity>;
export const accountIdentityExample = {
  id: 4,
  issuer: 'https://id.example.com',
  email: 'ana@example.com',
  created_at: '2026-12-01T12:00:00.000Z',
  last_used_at: '2026-12-15T09:30:00.000Z',
};
