import { bearerOf } from '../../credentials/index.ts';
import type { CompatContext } from '../compat-context.ts';
import type { Vendor } from '../vendor.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { domainRoutes } from './domain-routes.ts';
import { emailRoutes } from './email-routes.ts';
import { refuse } from './errors.ts';
import { sendRoutes } from './send-routes.ts';
import { suppressionRoutes } from './suppression-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** What clients of Resend call (docs/switching.md). */
export function resend(context: CompatContext): Vendor {
  return {
    name: 'resend',
    // Its client for PHP takes `code` for a number.
    code_member: 'chasqui_code',
    routes: [
      ...sendRoutes(context),
      ...emailRoutes(context),
      ...attachmentRoutes(context),
      ...suppressionRoutes(context),
      ...domainRoutes(context),
      ...templateRoutes(context),
      ...webhookRoutes(context),
    ],
    keyOf: ({ authorization }) => (authorization === undefined ? undefined : bearerOf(authorization)),
    changes: {
      '/domains': 'changes of domains (use /v1/domains)',
      '/templates': 'changes of templates (use /v1/mail-templates)',
    },
    missing: {
      '/api-keys': 'API keys (use /v1/api-keys)',
      '/audiences': 'audiences',
      '/automations': 'automations',
      '/broadcasts': 'broadcasts',
      '/contact-properties': 'contact properties',
      '/contacts': 'contacts',
      '/emails/metrics': 'metrics (use /v1/stats/overview)',
      '/emails/receiving': 'received emails',
      '/emails': 'this path of emails',
      '/events': 'events',
      '/inboxes': 'inboxes',
      '/logs': 'logs',
      '/oauth': 'OAuth',
      '/segments': 'segments',
      '/topics': 'topics',
      '/usage': 'usage',
      '/webhooks': 'logs of webhooks: they are in the panel',
    },
    refuse,
  };
}
