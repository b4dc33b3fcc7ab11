import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Queryable } from '../base/db/database.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { createChallengeReader, publishChallenge } from './challenges.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

test('a flood costs one query at a time, and no caller misses what was published before it asked', async () => {
  let queries = 0;
  const counted: Queryable = {
    query: async (sql, values) => {
      queries += 1;
      return await service.db.query(sql, values);
    },
  };
  const read = createChallengeReader(counted);
  const early = Array.from({ length: 100 }, async () => await read());
  await publishChallenge(service.db, 'token', 'token.thumbprint');
  const late = Array.from({ length: 100 }, async () => await read());
  for (const answers of await Promise.all(late)) assert.equal(answers.get('token'), 'token.thumbprint');
  await Promise.all(early);
  assert.ok(queries <= 3, `${queries} queries for 200 readers`);
});

test('an answer that is over is not given, and is cleared away by the next order', async () => {
  await publishChallenge(service.db, 'old', 'x');
  await service.db.query(
    `update acme_challenges set expires_at = now() - interval '1 second' where token = 'old'`,
  );
  const read = createChallengeReader(service.db);
  assert.equal((await read()).has('old'), false);
  await publishChallenge(service.db, 'new', 'y');
  const rows = await service.db.query(`select token from acme_challenges where token = 'old'`);
  assert.deepEqual(rows, []);
});
