import type { PanelDemo } from './panel-demo.fixture.ts';

/** Every page of an instance, below `/panel/i/<slug>`: each is held to the same rules and has its pictures taken. */
export const instancePages = [
  '',
  '/mails',
  '/sandbox',
  '/received',
  '/received?list=withdrawals',
  '/routes',
  '/routes?tab=forwards',
  '/routes?tab=addresses',
  '/domains',
  '/activity',
  '/activity?list=clicks',
  '/activity?group_by=msg_id',
  '/activity?list=bounces',
  '/queue',
  '/senders',
  '/templates',
  '/forms',
  '/forms/new',
  '/fields',
  '/broadcasts',
  '/contacts',
  '/suppressions',
  '/suppressions?list=complaints',
  '/suppressions?list=unsubscribes',
  '/consent',
  '/consent?list=events',
  '/consent?list=purposes',
  '/consent?list=chain',
  '/rights',
  '/webhooks',
  '/api-keys',
  '/smtp-credentials',
  '/team',
  '/alerts',
  '/settings',
  '/audit',
];

/** Pages of one thing. */
const detailPages = ({
  bounced,
  delivered,
  domain_id,
  template_id,
  consent,
  form_id,
  webhook_id,
  request_id,
  sent_broadcast_id,
  draft_broadcast_id,
  verified_domain_id,
  received,
}: PanelDemo): string[] => [
  `/mails/${bounced}`,
  `/mails/${delivered}`,
  `/sandbox?open=${delivered}`,
  `/received?open=${received}`,
  `/received?open=${received}&tab=facts`,
  `/domains/${domain_id}`,
  `/domains/${verified_domain_id}`,
  `/webhooks/${webhook_id}`,
  `/rights/${request_id}`,
  `/broadcasts/${sent_broadcast_id}`,
  `/broadcasts/${draft_broadcast_id}`,
  `/contacts/view?contact=${encodeURIComponent('click+marta@sandbox.test')}`,
  `/templates/${template_id}`,
  `/templates/${template_id}?tab=versions`,
  `/templates/${template_id}?tab=versions&open=1`,
  `/templates/${template_id}?tab=use`,
  `/consent/terms/${consent.term_id}`,
  `/consent/evidence?contact=${encodeURIComponent(consent.person)}`,
  ...['', '?tab=design', '?tab=mails', '?tab=embed', '?tab=submissions'].map(
    (tab) => `/forms/${form_id}${tab}`,
  ),
];

/** Pages below `/panel`. */
export const otherPages = [
  '/account',
  '/operator',
  '/operator?show=nodes',
  '/operator?show=jobs',
  '/operator?show=sources',
  '/operator?show=domains',
  '/operator?show=links',
  '/operator?show=checks',
];

/** Where each of them is. */
export function addressesOf(demo: PanelDemo): string[] {
  const { slug } = demo.tenant.instance;
  return [
    ...[...instancePages, ...detailPages(demo)].map((path) => `/panel/i/${slug}${path}`),
    ...otherPages.map((path) => `/panel${path}`),
  ];
}
