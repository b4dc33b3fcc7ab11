/** What the values of consents are called, on every page that shows them. */
export const messages = {
  channels: { mail: 'Email', sms: 'SMS', wsp: 'WhatsApp', call: 'Call', push: 'Push' },
  contact_types: {
    email_address: 'Email address',
    phone_number: 'Phone number',
    uniquecode: 'Unique code',
  },
  actions: { allow: 'Allows', deny: 'Withdraws' },
  verdicts: { allow: 'Allowed', deny: 'Refused', none: 'No decision' },
  statuses: { confirmed: 'Confirmed', pending: 'Unconfirmed', expired: 'Expired' },
  methods: { single_opt_in: 'Single opt-in', double_opt_in: 'Double opt-in' },
  sources: { form: 'Form', api: 'API', import: 'By hand', system: 'Link in a mail' },
  types: {
    data_processing: 'Data processing',
    service_terms: 'Terms of service',
    marketing: 'Marketing',
    subscription: 'Subscription',
    other: 'Other',
  },
  problems: {
    missing: 'a row was taken out',
    inserted: 'a row was put in',
    unlinked: 'a row does not follow the one before it',
    altered: 'a row was altered',
    text_altered: 'the text of a version was altered',
  },
};
