import type { PanelUser } from '../../test/support/panel-user.ts';
import { signIn } from '../../test/support/panel-user.ts';
import type { Tenant, TestService } from '../../test/support/test-service.ts';

/** An instance with what forms are made of: its system fields, a sender, and a term that consents can be given to. */
export interface FormAccount extends Tenant {
  panel: PanelUser;
  /** Identifiers of the fields by their keys. */
  fields: Record<string, number>;
  sender_id: number;
  term_id: number;
  purpose_id: number;
}

let terms = 0;

export async function createFormAccount(service: TestService): Promise<FormAccount> {
  const tenant = await service.tenant();
  const panel = await signIn(service, tenant, 'admin');
  const { data: fields } = (await tenant.api.get('/v1/fields')).json;
  const { data: senders } = (await tenant.api.get('/v1/senders')).json;
  const { data: purposes } = (await tenant.api.get('/v1/consent-purposes')).json;
  const purpose_id: number = purposes[0].id;
  const account = {
    ...tenant,
    panel,
    fields: Object.fromEntries(
      fields.map(({ field_key, id }: { field_key: string; id: number }) => [field_key, id]),
    ),
    sender_id: senders[0].id,
    purpose_id,
    term_id: 0,
  };
  return { ...account, term_id: await createCurrentTerm(account, { channels: ['mail'] }) };
}

/** A term whose one version is current. */
export async function createCurrentTerm(
  { panel, purpose_id }: Pick<FormAccount, 'panel' | 'purpose_id'>,
  { channels }: { channels: string[] },
): Promise<number> {
  const term = { name: `Term ${(terms += 1)}`, type: 'marketing', channels, purpose_ids: [purpose_id] };
  const { id } = (await panel.post('/v1/private/consent-terms', term)).json;
  const path = `/v1/private/consent-terms/${id}/versions`;
  const version = (await panel.post(path, { version: '1', body: 'I agree.' })).json.id;
  await panel.post(`${path}/${version}/publish`);
  await panel.post(`${path}/${version}/set-current`);
  return id;
}
