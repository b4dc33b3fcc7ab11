import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteRootPath } from './root-paths.ts';

const bearer = { authorization: 'Bearer x' };
const token = { 'x-postmark-server-token': 'x' };

const cases: [url: string, headers: Record<string, string>, expected: string][] = [
  ['/v1/mails', bearer, '/v1/mails'],
  ['/', bearer, '/'],
  ['/v3/mail/send', {}, '/compat/sendgrid/v3/mail/send'],
  ['/emails', {}, '/compat/resend/emails'],
  ['/emails?limit=1', {}, '/compat/resend/emails?limit=1'],
  ['//emails//batch', {}, '/compat/resend/emails/batch'],
  ['/email', {}, '/compat/postmark/email'],
  ['/email/withTemplate/?a=/', token, '/compat/postmark/email/withTemplate?a=/'],
  ['/compat/resend/', bearer, '/compat/resend'],
  ['//', bearer, '//'],
  ['/panel/', bearer, '/panel/'],
  ['/emailsx', bearer, '/emailsx'],
  ['/templates', token, '/compat/postmark/templates'],
  ['/templates', bearer, '/compat/resend/templates'],
  ['/templates', {}, '/templates'],
  ['/suppressions?after=a//b', bearer, '/compat/resend/suppressions?after=a//b'],
  ['/suppressions', {}, '/suppressions'],
  ['/bounces', token, '/compat/postmark/bounces'],
  ['/bounces', bearer, '/bounces'],
  ['/compat/resend//emails', {}, '/compat/resend/emails'],
  ['/panel//x', bearer, '/panel//x'],
  ['/constructor', bearer, '/constructor'],
];

for (const [url, headers, expected] of cases) {
  test(`${url} with ${Object.keys(headers).join() || 'nothing'} leads to ${expected}`, () => {
    assert.equal(rewriteRootPath(url, { headers }), expected);
  });
}
