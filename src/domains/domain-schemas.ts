import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

const statuses = ['pending', 'verified', 'failed', 'revoked'] as const;

const status = (record: string) =>
  Enum(statuses, { description: `State of the ${record} record at the last validation.` });
const verifiedAt = (record: string) =>
  Nullable(
    DateTime(`When the ${record} record was last validated, successfully or not; null while none has run.`),
  );

const DnsRecord = Type.Object(
  {
    type: Enum(['CNAME', 'MX', 'TXT']),
    host: Type.String({ description: 'Full name to publish the record at.' }),
    value: Type.String(),
    priority: Nullable(Type.Integer({ description: 'Preference of the MX record; null for every other.' })),
  },
  { $id: 'DnsRecord' },
);

const DnsRecords = Type.Object(
  {
    ownership_cname: DnsRecord,
    mx: DnsRecord,
    spf: DnsRecord,
    dkim: Type.Array(DnsRecord, { minItems: 2, maxItems: 2 }),
    dmarc: DnsRecord,
  },
  { $id: 'DnsRecords', description: 'The records to publish, computed on every response.' },
);

const statusProperties = {
  mx_status: status('MX'),
  spf_status: status('SPF'),
  dkim_status: status('DKIM'),
  dmarc_status: status('DMARC'),
};

const any_sender = Type.Boolean({
  description:
    'Whether every address of the domain may send, registered or not: with stream, tracking and consent of `default_sender_id`.',
});
const default_sender_id = Nullable(
  Id('The sender of this domain whose settings hold for addresses that are not registered.'),
);

const reason = Type.Optional(Type.String());

export const Domain = Type.Object(
  {
    id: Id('Identifier of the domain.'),
    domain: Type.String({ description: 'Normalised domain name.', examples: ['mail.example.com'] }),
    external_id: ExternalId,
    ...statusProperties,
    mx_verified_at: verifiedAt('MX'),
    spf_verified_at: verifiedAt('SPF'),
    dkim_verified_at: verifiedAt('DKIM'),
    dmarc_verified_at: verifiedAt('DMARC'),
    ownership_token: Type.String({
      description: 'Part of the names that prove ownership and carry the DKIM keys.',
    }),
    ownership_verified_at: Nullable(DateTime('When ownership was proven; written once.')),
    last_verification_at: Nullable(DateTime('When validation last ran.')),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
    is_verified: Type.Boolean({
      description: 'All four states are verified: senders can be made and mail sent.',
    }),
    is_ownership_verified: Type.Boolean(),
    any_sender,
    default_sender_id,
    is_sandbox: Type.Boolean({ description: 'The test domain of the instance.' }),
    check_reasons: Type.Object(
      { mx: reason, spf: reason, dkim: reason, dmarc: reason, ownership: reason },
      { description: 'Why each record that failed did, in words for people.' },
    ),
    is_revoked_by_operator: Type.Boolean({
      description: 'Whether the operator of the platform revoked the name: then only they can reinstate it.',
    }),
    signing_selector: Nullable(Type.String({ description: 'Selector of the DKIM key that signs now.' })),
    dns_records: DnsRecords,
  },
  { $id: 'Domain' },
);
export type Domain = Static<typeof Domain>;

export const NewDomain = Type.Object(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The name; a subdomain used for nothing else is the practical choice.',
    }),
    external_id: Type.Optional(ExternalId),
  },
  { $id: 'NewDomain' },
);
export type NewDomain = Static<typeof NewDomain>;

export const DomainChanges = Type.Partial(
  Type.Object({ external_id: ExternalId, any_sender, default_sender_id }),
  { $id: 'DomainChanges' },
);
export type DomainChanges = Static<typeof DomainChanges>;

export const DomainStatus = Type.Object(
  {
    domain: Type.String(),
    is_verified: Type.Boolean(),
    is_ownership_verified: Type.Boolean(),
    ...statusProperties,
    last_verification_at: Nullable(DateTime('When validation last ran.')),
  },
  { $id: 'DomainStatus' },
);
export type DomainStatus = Static<typeof DomainStatus>;

const token = 'k3v9qm2x7c5t8w4n6b1z0d5f2g';
const exampleTime = '2026-12-01T12:00:00.000Z';
const dkim = (selector: string) => ({
  type: 'CNAME',
  host: `${selector}._domainkey.mail.example.com`,
  value: `${selector}.${token}.dkim.chasqui.test`,
  priority: null,
});

export const domainExample = {
  id: 3,
  domain: 'mail.example.com',
  external_id: 'shop/mail',
  mx_status: 'verified',
  spf_status: 'verified',
  dkim_status: 'verified',
  dmarc_status: 'failed',
  mx_verified_at: exampleTime,
  spf_verified_at: exampleTime,
  dkim_verified_at: exampleTime,
  dmarc_verified_at: exampleTime,
  ownership_token: token,
  ownership_verified_at: exampleTime,
  last_verification_at: exampleTime,
  created_at: exampleTime,
  updated_at: exampleTime,
  is_verified: false,
  is_ownership_verified: true,
  any_sender: true,
  default_sender_id: 5,
  is_sandbox: false,
  check_reasons: { dmarc: 'no DMARC record' },
  is_revoked_by_operator: false,
  signing_selector: 's1',
  dns_records: {
    ownership_cname: {
      type: 'CNAME',
      host: `${token}.mail.example.com`,
      value: 'verify.chasqui.test',
      priority: null,
    },
    mx: { type: 'MX', host: 'mail.example.com', value: 'mx.chasqui.test', priority: 10 },
    spf: {
      type: 'TXT',
      host: 'mail.example.com',
      value: 'v=spf1 include:spf.chasqui.test ~all',
      priority: null,
    },
    dkim: [dkim('s1'), dkim('s2')],
    dmarc: {
      type: 'TXT',
      host: '_dmarc.mail.example.com',
      value: 'v=DMARC1; p=none; rua=mailto:dmarc@chasqui.test',
      priority: null,
    },
  },
};
