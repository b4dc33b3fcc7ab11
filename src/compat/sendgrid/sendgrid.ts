import { bearerOf } from '../../credentials/index.ts';
import type { CompatContext } from '../compat-context.ts';
import type { Vendor } from '../vendor.ts';
import { refuse } from './errors.ts';
import { sendRoute } from './send-route.ts';
import { suppressionRoutes } from './suppression-routes.ts';

/** What clients of SendGrid call (docs/switching.md). */
export function sendgrid(context: CompatContext): Vendor {
  return {
    name: 'sendgrid',
    routes: [sendRoute(context), ...suppressionRoutes(context)],
    keyOf: ({ authorization }) => (authorization === undefined ? undefined : bearerOf(authorization)),
    changes: {},
    missing: {
      '/v3/api_keys': 'API keys (use /v1/api-keys)',
      '/v3/asm': 'unsubscribe groups: a sender requires consent for a purpose',
      '/v3/contactdb': 'contacts',
      '/v3/mail/batch': 'batches (use /v1/messages to cancel)',
      '/v3/mail_settings': 'mail settings',
      '/v3/marketing': 'marketing campaigns',
      '/v3/stats': 'statistics (use /v1/stats/overview)',
      '/v3/subusers': 'subusers: an instance is one',
      '/v3/suppression/invalid_emails': 'invalid emails: they are bounces',
      '/v3/templates': 'templates (use /v1/mail-templates)',
      '/v3/user': 'settings of users, scheduled sends and webhooks',
      '/v3/validations': 'validation of addresses',
      '/v3/whitelabel': 'domains (use /v1/domains)',
    },
    refuse,
  };
}
