/** What each group of operations is about, in the order in which the reference shows them. */
export const tagDescriptions: Record<string, string> = {
  Discovery: 'Where to find this reference and the document it is made from.',
  Mails: 'Sending mail, and what became of each one, recipient by recipient.',
  Activity: 'What happened to mail over time: sent, opened, clicked, bounced. Each list has an export.',
  Statistics: 'Figures over a range of time.',
  Suppressions: 'Who must not be written to, and why: restrictions, unsubscribes and complaints.',
  Domains: 'The domains that mail is sent from, and the DNS records that prove the right to them.',
  Senders: 'The addresses that mail is sent from.',
  Templates: 'Saved content to send by its id.',
  Consent: 'Terms, purposes, and who agreed to what when; the verdict that a send applies.',
  Forms: 'The forms of the instance and what people submitted.',
  Fields: 'The catalog of contact fields that forms are made of.',
  Webhooks: 'Endpoints of yours that are told of events as they happen.',
};
