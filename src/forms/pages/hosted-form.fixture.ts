import assert from 'node:assert/strict';
import type { Clock } from '../../base/clock.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { createFormAccount, type FormAccount } from '../form-account.fixture.ts';

interface Made {
  id: number;
  url: string;
}

export type HostedForms = Awaited<ReturnType<typeof startHostedForms>>;

/** A service with one account, and forms that visitors fill in. */
export async function startHostedForms(clock: Clock) {
  // With a platform domain of its own, so that the sandbox does not capture what forms write to others.
  const env = { CHASQUI_TRUST_PROXY: 'true', CHASQUI_PLATFORM_DOMAIN: 'chasqui.example' };
  const service = await startTestService({ roles: 'api,web', clock, env });
  const account = await createFormAccount(service);
  return { service, account, ...formsOf(service, account) };
}

/** The forms of an account, made in its panel. */
export function formsOf(service: TestService, account: FormAccount) {
  return {
    makeForm: async (items: object[], more: object = {}): Promise<Made> => {
      const form = { name: 'Boletín <1>', kind: 'advanced', type: 'registration', items, ...more };
      const created = await account.panel.post('/v1/private/forms', form);
      assert.equal(created.status, 201, created.text);
      return { id: created.json.id, url: `${service.base_url}/f/${created.json.public_token}` };
    },
    field: (key: string, more: object = {}) => ({ kind: 'field', field_id: account.fields[key], ...more }),
    consent: (more: object = {}) => ({ kind: 'consent', term_id: account.term_id, ...more }),
    doubleOptIn: () => ({ requires_confirmation: true, auto_reply_sender_id: account.sender_id }),
    submissions: async (id: number) =>
      (await account.panel.get(`/v1/private/forms/${id}/submissions`)).json.data,
  };
}

export async function post(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields);
  return await fetch(url, { method: 'POST', redirect: 'manual', body, headers });
}
