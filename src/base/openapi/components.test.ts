import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Components } from './components.ts';

const Part = Type.Object({ name: Type.String() }, { $id: 'Part' });

test('a schema with a name stands once among the components and is referred to', () => {
  const components = new Components();
  const whole = components.refer(Type.Object({ one: Part, many: Type.Array(Part) }));
  assert.deepEqual(JSON.parse(JSON.stringify(whole)).properties, {
    one: { $ref: '#/components/schemas/Part' },
    many: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
  });
  assert.deepEqual(Object.keys(components.schemas()), ['Part']);
});

test('parts of parts are named too, in alphabetical order', () => {
  const components = new Components();
  components.refer(Type.Object({ part: Part }, { $id: 'Box' }));
  assert.deepEqual(Object.keys(components.schemas()), ['Box', 'Part']);
});

test('two different schemas of one name are an error, not a wrong document', () => {
  const components = new Components();
  components.refer(Part);
  components.refer(Type.Object({ name: Type.String() }, { $id: 'Part' }));
  const other = Type.Object({ name: Type.Integer() }, { $id: 'Part' });
  assert.throws(() => components.refer(other), /Two different schemas are named Part/);
});

test('a default is said in the description, and a member of that name stays', () => {
  const schema = Type.Object({
    size: Type.Integer({ default: 20, description: 'Items on a page.' }),
    channel: Type.String({ default: 'mail' }),
    default: Type.Boolean(),
  });
  assert.deepEqual(JSON.parse(JSON.stringify(new Components().refer(schema))).properties, {
    size: { type: 'integer', description: 'Items on a page. Default: `20`.' },
    channel: { type: 'string', description: 'Default: `mail`.' },
    default: { type: 'boolean' },
  });
});
