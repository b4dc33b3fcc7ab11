import assert from 'node:assert/strict';
import { Errors, type Models, ServerClient } from 'postmark';
import { type Account, startAccepting } from '../../accept/account.fixture.ts';
import type { TestService } from '../../../test/support/test-service.ts';
import { openSwitching } from '../compat-bed.fixture.ts';

export interface PostmarkBed {
  service: TestService;
  account: Account & { from: string };
  clientOf: (token: string, prefix?: string) => ServerClient;
}

export async function startPostmark(): Promise<PostmarkBed> {
  const service = await startAccepting({ roles: 'api,delivery' });
  const account = await openSwitching(service);
  const requestHost = service.base_url.replace('http://', '');
  return {
    service,
    account,
    clientOf: (token, prefix = '') =>
      new ServerClient(token, { requestHost: requestHost + prefix, useHttps: false }),
  };
}

export const mailFrom = (from: string, more: Partial<Models.Message> = {}): Models.Message => ({
  From: `Ana Pérez <${from}>`,
  To: 'delivered@sandbox.test',
  Subject: 'Hello',
  HtmlBody: '<p>Hi</p>',
  ...more,
});

export interface Wanted {
  kind?: new (...given: never[]) => Errors.PostmarkError;
  code: number;
  message: RegExp;
}

export async function refused(
  call: Promise<unknown>,
  { kind = Errors.ApiInputError, code, message }: Wanted,
) {
  const error = await call.then(
    (answer) => assert.fail(`it was accepted: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown as Errors.PostmarkError,
  );
  assert.ok(error instanceof kind, `${error.name} ${error.message}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return error;
}
