import { counted } from './counting.ts';

export const messages = {
  title: 'Settings',
  general: 'General',
  name: 'Name',
  name_help: 'What members see. Recipients never do.',
  slug: 'Slug',
  timezone: 'Time zone',
  timezone_help: 'Dates in lists, days in statistics and the month of the plan are of this zone.',
  access: 'Access',
  addresses: 'Allowed addresses',
  second_factor: 'Require a second factor',
  second_factor_help:
    'Members without one set up an authenticator app or a passkey before they see anything here. You need one yourself. API keys are not affected.',
  addresses_help:
    'From which members and API keys may call. Empty: from anywhere. Your own address must be in it.',
  anywhere: 'Anywhere',
  save: 'Save',
  saved: 'The settings are saved.',
  plan: 'Plan',
  subscription: 'Subscription',
  subscriptions: { active: 'Active', inactive: 'Inactive' },
  disabled: 'Disabled by the operator',
  limit: 'Recipients a month',
  no_limit: 'No limit',
  attachments: 'Attachments of a mail',
  attachments_help: (size: string) => `Up to ${size}`,
  retention: 'Mails and activity are kept',
  months: (count: number) => counted(count, 'month', 'months'),
  created: 'Created',
  by_operator: 'An operator changes these.',
};
