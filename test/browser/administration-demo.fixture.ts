import assert from 'node:assert/strict';
import type { PanelUser } from '../support/panel-user.ts';
import type { Tenant, TestService } from '../support/test-service.ts';
import { writeDemoDeliveries } from './mail-demo.fixture.ts';

export interface AdministrationDemo {
  webhook_id: number;
  request_id: number;
}

/** Keys, credentials, people, a webhook and a request of a person, under names of the usual length. */
export async function createAdministrationDemo(
  service: TestService,
  tenant: Tenant,
  user: PanelUser,
): Promise<AdministrationDemo> {
  const made = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await user.post(`/v1/private${path}`, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  await made('/api-keys', { name: 'Tienda en producción', scopes: ['mail:send', 'mail:read'] });
  await made('/smtp-credentials', { name: 'WordPress de la tienda' });
  await made('/team/invitations', { email: 'contabilidad@altiplano.example', role: 'viewer' });
  const request = await made('/rights-requests', {
    kind: 'access',
    contacts: [{ contact_type: 'email_address', contact: 'maria.gonzalez@example.com' }],
  });
  const noted = { note: 'Preguntó en la tienda de Valdivia.', checked: ['identity_verified'] };
  await user.patch(`/v1/private/rights-requests/${request.id}`, noted);
  await made('/rights-requests', {
    kind: 'rectification',
    contacts: [{ contact_type: 'email_address', contact: 'pedro.soto@example.com' }],
    detail: 'Mi apellido es Soto, no Sotto.',
    received_at: new Date(Date.now() - 34 * 86_400_000).toISOString(),
  });
  // An address of the outside: nothing is posted by a service without the role that posts.
  const webhook = await made('/webhooks', { name: 'Tienda: estado de correos', url: 'https://1.1.1.1/' });
  await service.db.query(
    `update webhooks set url = 'https://tienda.altiplano.example/hooks/correo', consecutive_failures = 4,
       last_failure_at = now(), last_status_code = 503, failing_since = now() - interval '1 hour' where id = $1`,
    [webhook.id],
  );
  await writeDemoDeliveries(service, tenant, { webhook_id: webhook.id });
  return { webhook_id: webhook.id, request_id: request.id };
}
