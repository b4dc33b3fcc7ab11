import type { Operation } from '../base/http/operation.ts';
import { forPanel } from '../base/http/panel-operation.ts';
import { webhookHealthRoutes } from './webhook-health.ts';
import { deliveryPanelRoutes } from './delivery-panel-routes.ts';
import { webhookWriteRoutes, type WebhooksContext } from './webhook-routes.ts';

export function webhookPanelRoutes(context: WebhooksContext): Operation[] {
  return [
    ...forPanel(webhookWriteRoutes(context), 'developer'),
    ...deliveryPanelRoutes(context),
    ...webhookHealthRoutes(context),
  ];
}
