import { Type } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { domainExample } from './domain-schemas.ts';
import { dnsProblemCodes } from './verification/check-result.ts';
import { dnsProviders } from './verification/dns-provider.ts';
import { lookedUpStatuses, recordPurposes } from './verification/look-up-records.ts';

const zoneProperties = {
  zone: Type.String({
    description:
      'The zone in which the records of the domain are kept: the nearest name at or above it that has name servers.',
  }),
  name_servers: Type.Array(Type.String(), { description: 'Of the zone. Empty where none answered.' }),
  provider: Nullable(
    Enum(dnsProviders, {
      description:
        'Whose name servers they are; null when unknown. `nic_chile` is the secondary service of the registry.',
    }),
  ),
};

export const NameInDns = Type.Object(
  {
    domain: Type.String({ description: 'Normalised name.' }),
    ...zoneProperties,
    mail_servers: Type.Array(Type.Object({ exchange: Type.String(), priority: Type.Integer() }), {
      description: 'Its MX records, most preferred first.',
    }),
    receives_mail_elsewhere: Nullable(
      Type.Boolean({
        description:
          'Its mail goes to servers other than the platform’s. To send with this name its MX has to change, and mailboxes there receive no more mail. Null when DNS could not be read.',
      }),
    ),
    alias_of: Nullable(
      Type.String({
        description:
          'Target of a CNAME at the name. Beside a CNAME there can be no other record (RFC 1034 section 3.6.2).',
      }),
    ),
    suggested_domain: Nullable(
      Type.String({ description: 'A subdomain that is free, when the name itself is in use.' }),
    ),
  },
  { $id: 'NameInDns' },
);

export const nameExample = {
  domain: 'example.com',
  zone: 'example.com',
  name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  provider: 'cloudflare',
  mail_servers: [{ exchange: 'aspmx.l.google.com', priority: 1 }],
  receives_mail_elsewhere: true,
  alias_of: null,
  suggested_domain: 'mail.example.com',
};

const LookedUpRecord = Type.Object(
  {
    purpose: Enum(recordPurposes, { description: 'What the record is for. DKIM has two.' }),
    type: Enum(['CNAME', 'MX', 'TXT']),
    host: Type.String({ description: 'Full name to publish the record at.' }),
    name: Type.String({ description: 'The same relative to the zone, `@` for the zone itself.' }),
    value: Type.String(),
    priority: Nullable(Type.Integer()),
    status: Enum(lookedUpStatuses, {
      description:
        '`found`: as it should be. `not_found`: nothing there. `wrong_value`: something else is there. `unreadable`: DNS did not answer.',
    }),
    problem: Nullable(Enum(dnsProblemCodes, { description: 'What is wrong; null when found.' })),
    reason: Nullable(Type.String({ description: 'The same as a sentence, with what was found.' })),
    found: Type.Array(Type.String(), { description: 'What DNS has in its place, at most five values.' }),
    found_at: Nullable(
      Type.String({
        description:
          'The name with the zone twice, when the record was found there: the provider appends the zone by itself.',
      }),
    ),
    suggested_value: Nullable(
      Type.String({
        description:
          'What to publish in place of what there is: one SPF record that keeps all published ones, or the DMARC policy with an address for reports.',
      }),
    ),
  },
  { $id: 'LookedUpRecord' },
);

export const DomainInDns = Type.Object(
  {
    domain: Type.String(),
    ...zoneProperties,
    looked_up_at: DateTime('When DNS was asked.'),
    all_found: Type.Boolean({
      description: 'The records that verification needs are there: a validation now would verify the domain.',
    }),
    records: Type.Array(LookedUpRecord),
  },
  { $id: 'DomainInDns' },
);

const { mx, spf } = domainExample.dns_records;
export const domainInDnsExample = {
  domain: 'mail.example.com',
  zone: 'example.com',
  name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  provider: 'cloudflare',
  looked_up_at: '2026-12-01T12:00:00.000Z',
  all_found: false,
  records: [
    {
      purpose: 'mx',
      ...mx,
      name: 'mail',
      status: 'found',
      problem: null,
      reason: null,
      found: [],
      found_at: null,
      suggested_value: null,
    },
    {
      purpose: 'spf',
      ...spf,
      name: 'mail',
      status: 'wrong_value',
      problem: 'spf_include_missing',
      reason: 'SPF found "v=spf1 include:_spf.google.com ~all": it has no include:spf.chasqui.test',
      found: ['v=spf1 include:_spf.google.com ~all'],
      found_at: null,
      suggested_value: 'v=spf1 include:_spf.google.com include:spf.chasqui.test ~all',
    },
  ],
};
