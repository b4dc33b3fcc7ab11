import type { Operation } from '../base/http/operation.ts';
import { webhookHealthRoutes } from './webhook-health.ts';
import { deliveryPanelRoutes } from './delivery-panel-routes.ts';
import type { WebhooksContext } from './webhook-routes.ts';

export function webhookPanelRoutes(context: WebhooksContext): Operation[] {
  return [...deliveryPanelRoutes(context), ...webhookHealthRoutes(context)];
}
