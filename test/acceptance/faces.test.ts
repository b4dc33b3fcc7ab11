import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '../../src/base/http/operation.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let operations: Operation[];
before(async () => {
  service = await startTestService();
  operations = service.service.operations;
});
after(async () => await service.stop());

const placeOf = ({ method, path }: Operation): string => `${method} ${path}`;
const privatePlaceOf = ({ method, path }: Operation): string =>
  `${method} ${path.replace('/v1/', '/v1/private/')}`;

/** What differs in the panel by its nature: a consent that a person enters needs its proof. */
const others = new Set(['record_consent_event']);

test('a public operation and its private face are one function', () => {
  const byPlace = new Map(operations.map((each) => [placeOf(each), each]));
  const published = operations.filter(({ path }) => !path.startsWith('/v1/private/'));
  let faces = 0;
  for (const operation of published) {
    const face = byPlace.get(privatePlaceOf(operation));
    if (!face || others.has(operation.id)) continue;
    faces += 1;
    assert.equal(face.handle, operation.handle, `${face.id} is an implementation of its own`);
    assert.equal(face.body, operation.body, face.id);
    assert.equal(face.success, operation.success, face.id);
  }
  assert.ok(faces > 60, `${faces} faces`);
});

/** Batches are made by programs only. */
const programsOnly = ['send_batch'];

test('a member can do in the panel all that a key can do', () => {
  const places = new Set(operations.map(placeOf));
  const missing = operations
    .filter(({ access }) => access.kind === 'api_key')
    .filter((operation) => !places.has(privatePlaceOf(operation)))
    .map(({ id }) => id);
  assert.deepEqual(missing, programsOnly);
});
