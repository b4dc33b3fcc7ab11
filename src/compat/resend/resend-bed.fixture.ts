import assert from 'node:assert/strict';
import { type ErrorResponse, type Response, Resend } from 'resend';
import { type Account, startAccepting } from '../../accept/account.fixture.ts';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts';
import type { TestService } from '../../../test/support/test-service.ts';
import { openSwitching } from '../compat-bed.fixture.ts';

export interface ResendBed {
  dns: DnsServer;
  service: TestService;
  account: Account & { from: string };
  resend: Resend;
  stop(): Promise<void>;
}

export async function startResend(): Promise<ResendBed> {
  const dns = await startDnsServer({});
  const service = await startAccepting({
    env: { CHASQUI_DNS_SERVERS: dns.address, CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
  const account = await openSwitching(service);
  const resend = new Resend(account.api_key, { baseUrl: service.base_url });
  return {
    dns,
    service,
    account,
    resend,
    async stop() {
      await service.stop();
      await dns.stop();
    },
  };
}

export function ok<T>({ data, error }: Response<T>): T {
  assert.equal(error, null, JSON.stringify(error));
  assert.ok(data);
  return data;
}

export function refused(
  { data, error }: Response<unknown>,
  name: ErrorResponse['name'],
  status: number,
): ErrorResponse {
  assert.equal(data, null);
  assert.equal(`${error?.statusCode} ${error?.name}`, `${status} ${name}`, JSON.stringify(error));
  assert.ok(error?.message);
  const ours = error as unknown as Record<string, string>;
  assert.match(ours['trace_id'] ?? '', /^[0-9a-f]{32}$/);
  assert.ok(ours['chasqui_code']);
  // Its client for PHP takes it for a number.
  assert.equal(ours['code'], undefined);
  return error;
}

export const mailFrom = ({ account }: ResendBed, more: object = {}) => ({
  from: `Ana Pérez <${account.from}>`,
  to: 'delivered@sandbox.test',
  subject: 'Hello',
  html: '<p>Hi</p>',
  ...more,
});
