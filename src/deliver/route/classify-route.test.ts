import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from './router.ts';
import { classifyRoute } from './classify-route.ts';

test('a missing route bounces or defers the mail by its kind', () => {
  const say = (route: Exclude<Route, { kind: 'hosts' }>, last_attempt = false): string => {
    const { verdict, enhanced } = classifyRoute(route, { last_attempt });
    const type = verdict.verdict === 'bounced' ? verdict.type : verdict.verdict;
    return `${type} ${enhanced} ${verdict.reason}`;
  };
  assert.equal(say({ kind: 'rejects_mail' }), 'hard 5.1.10 rejects_mail');
  const gone: Route = { kind: 'no_route', reason: 'domain_not_found', permanent: true };
  assert.equal(say(gone), 'hard 5.1.2 domain_not_found');
  const loop: Route = { kind: 'no_route', reason: 'loops_to_us', permanent: false };
  assert.equal(say(loop), 'deferred 4.4.6 loops_to_us');
  assert.equal(say(loop, true), 'soft 5.4.6 loops_to_us');
  assert.equal(say({ kind: 'error', reason: 'servfail' }), 'deferred 4.4.3 dns_servfail');
  assert.equal(say({ kind: 'error', reason: 'servfail' }, true), 'soft 5.4.3 dns_servfail');
});
