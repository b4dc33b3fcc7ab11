import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';

const base64url = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description });

const id = base64url(1_364, 'Of the credential, in base64url.');
const type = Enum(['public-key']);
const clientDataJSON = base64url(8_192, 'What the browser signed for, in base64url.');

export const PasskeyAssertion = Type.Object(
  {
    id,
    rawId: id,
    type,
    response: Type.Object({
      clientDataJSON,
      authenticatorData: base64url(8_192, 'In base64url.'),
      signature: base64url(4_096, 'In base64url.'),
      userHandle: Type.Optional(Nullable(base64url(128, 'In base64url.'))),
    }),
    clientExtensionResults: Type.Object({}),
  },
  {
    $id: 'PasskeyAssertion',
    description: 'What `navigator.credentials.get` gives, as `toJSON()` writes it (WebAuthn §5.1.8).',
  },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

export const PasskeyRegistration = Type.Object(
  {
    id,
    rawId: id,
    type,
    response: Type.Object({
      clientDataJSON,
      attestationObject: base64url(32_768, 'In base64url.'),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
    clientExtensionResults: Type.Object({}),
  },
  {
    $id: 'PasskeyRegistration',
    description: 'What `navigator.credentials.create` gives, as `toJSON()` writes it.',
  },
);
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** Options for the browser; what they mean is the matter of WebAuthn. */
export const PasskeyOptions = Type.Object(
  {
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'For `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. They hold for five minutes.',
    }),
  },
  { $id: 'PasskeyOptions' },
);
export const requestOptionsExample = {
  options: { challenge: 'x5p…', rpId: 'mail.example.com', userVerification: 'required', timeout: 300_000 },
};
export const creationOptionsExample = {
  options: {
    challenge: 'x5p…',
    rp: { id: 'mail.example.com', name: 'Chasqui' },
    user: { name: 'ana@example.com' },
  },
};

export const PasskeyProof = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Of the account. One without a password needs a sign-in of the last 15 minutes instead.',
      }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 40,
        description: 'Of the authenticator app, or a recovery code, where the account uses an app.',
      }),
    ),
  },
  { $id: 'PasskeyProof' },
);
export type PasskeyProof = Static<typeof PasskeyProof>;

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What the user calls it.',
  examples: ['Phone'],
});

export const NewPasskey = Type.Object({ name, credential: PasskeyRegistration }, { $id: 'NewPasskey' });
export const PasskeyChanges = Type.Object({ name }, { $id: 'PasskeyChanges' });

export const Passkey = Type.Object(
  {
    id: Id('Identifier of the passkey.'),
    name,
    is_backed_up: Type.Boolean({ description: 'Whether its owner has it on other devices too.' }),
    created_at: DateTime('When it was added.'),
    last_used_at: Nullable(DateTime('When it was last used.')),
  },
  { $id: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;

export const AddedPasskey = Type.Object(
  {
    passkey: Passkey,
    recovery_codes: Nullable(
      Type.Array(Type.String(), {
        description: 'Where it is the first second factor of the account: shown once, each signs in once.',
      }),
    ),
  },
  { $id: 'AddedPasskey' },
);

export const passkeyExample = {
  id: 2,
  name: 'Phone',
  is_backed_up: true,
  created_at: '2026-12-01T12:00:00.000Z',
  last_used_at: '2026-12-15T09:30:00.000Z',
};
export const assertionExample = {
  id: 'kWJ0AAAA',
  rawId: 'kWJ0AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0AAAA',
    authenticatorData: 'SZYNAAAA',
    signature: 'MEUCAAAA',
    userHandle: 'c2VjAAAA',
  },
  clientExtensionResults: {},
};
