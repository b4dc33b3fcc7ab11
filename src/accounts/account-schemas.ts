import { Type, type Static } from 'typebox';
import { DateTime, Nullable } from '../base/http/schemas.ts';

const password = Type.String({ minLength: 1, maxLength: 1024, description: 'The password of the account.' });
const new_password = Type.String({ minLength: 12, maxLength: 1024 });
const code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Of the authenticator app, or a recovery code.',
  examples: ['287082'],
});

export const AccountSession = Type.Object(
  {
    id: Type.String(),
    created_at: DateTime('When the user signed in.'),
    last_used_at: DateTime('When it was last continued, at most 15 minutes before it was last used.'),
    expires_at: DateTime('When it ends at the latest.'),
    address: Nullable(Type.String({ description: 'Where the user signed in from.' })),
    user_agent: Nullable(Type.String({ description: 'What the user signed in with.' })),
    is_current: Type.Boolean({ description: 'Whether it is the one of this request.' }),
  },
  { $id: 'AccountSession' },
);
export type AccountSession = Static<typeof AccountSession>;

export const accountSessionExample = {
  id: '7b2f6f5e-3d1f-4a55-9c3b-6f1f0c8a2b11',
  created_at: '2026-12-01T12:00:00.000Z',
  last_used_at: '2026-12-01T15:45:00.000Z',
  expires_at: '2026-12-31T12:00:00.000Z',
  address: '198.51.100.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  is_current: true,
};

export const PasswordProof = Type.Object({ password }, { $id: 'PasswordProof' });
export const CodeProof = Type.Object({ code }, { $id: 'CodeProof' });
export const FullProof = Type.Object({ password, code }, { $id: 'FullProof' });

export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'For an authenticator app, typed in by hand.' }),
    otpauth_url: Type.String({ description: 'The same for a QR code.' }),
  },
  { $id: 'TwoFactorSetup' },
);
export const twoFactorSetupExample = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  otpauth_url:
    'otpauth://totp/Chasqui:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Chasqui',
};

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String(), { description: 'Each signs in once, in place of a code.' }) },
  { $id: 'RecoveryCodes' },
);
export const recoveryCodesExample = { recovery_codes: ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yz23-4567'] };

export const ForgottenPassword = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 254, pattern: '@' }) },
  { $id: 'ForgottenPassword' },
);
export const PasswordReset = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 100, description: 'From the mail.' }), new_password },
  { $id: 'PasswordReset' },
);
