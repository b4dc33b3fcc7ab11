import type { CompatContext } from '../compat-context.ts';
import type { Vendor } from '../vendor.ts';
import { bounceRoutes } from './bounce-routes.ts';
import { refuse } from './errors.ts';
import { messageRoutes } from './message-routes.ts';
import { sendRoutes } from './send-routes.ts';
import { serverRoutes } from './server-routes.ts';
import { suppressionRoutes } from './suppression-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { validateRoute } from './validate-template.ts';

/** What clients of Postmark call (docs/switching.md). */
export function postmark(context: CompatContext): Vendor {
  return {
    name: 'postmark',
    routes: [
      ...sendRoutes(context),
      ...messageRoutes(context),
      ...bounceRoutes(context),
      ...suppressionRoutes(context),
      ...templateRoutes(context),
      validateRoute(context),
      ...serverRoutes(context),
    ],
    keyOf(headers) {
      const token = headers['x-postmark-server-token'];
      return typeof token === 'string' && token !== '' ? token : undefined;
    },
    changes: {
      '/message-streams': 'changes of message streams: there are outbound and broadcast',
      '/server': 'changes of servers: an instance is one',
      '/templates': 'changes of templates (use /v1/mail-templates)',
    },
    missing: {
      '/domains': 'the account API (use /v1/domains)',
      '/email/bulk': 'bulk email (use /email/batch)',
      '/messages/inbound': 'inbound messages',
      '/messages/outbound/clicks': 'the list of clicks (use /v1/activities/clicks)',
      '/messages/outbound/opens': 'the list of opens (use /v1/activities/opens)',
      '/senders': 'the account API (use /v1/senders)',
      '/servers': 'the account API',
      '/stats': 'statistics by client, platform and place, which are not collected (use /v1/stats/overview)',
      '/triggers': 'triggers',
      '/webhooks': 'webhooks (use /v1/webhooks)',
    },
    refuse,
  };
}
