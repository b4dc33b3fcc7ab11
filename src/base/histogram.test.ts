import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Histogram as PromHistogram, Registry } from 'prom-client';
import { Histogram } from './histogram.ts';

const common = { name: 'chasqui_test_seconds', help: 'Of a test.' };
const buckets = [0.0025, 0.1, 1, 10];
const observed = [0, 0.0025, 0.0026, 0.1, 0.5, 1, 10, 10.1, 1e6];

test('a histogram is read as that of prom-client, with labels', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const histogram = new Histogram(ours, { ...common, labels: ['source', 'result'], buckets });
  const model = new PromHistogram({
    ...common,
    labelNames: ['source', 'result'],
    buckets,
    registers: [theirs],
  });
  assert.equal(await ours.metrics(), await theirs.metrics(), 'without any observation');
  for (const [index, value] of observed.entries()) {
    const labels = { source: index % 2 === 0 ? 'http' : 'smtp', result: 'a "b"\\\n' };
    histogram.observe(labels, value);
    model.observe(labels, value);
  }
  assert.match(await ours.metrics(), /_bucket\{le="0\.0025",source="http",result="a \\"b\\"/);
  assert.equal(await ours.metrics(), await theirs.metrics());
  const json = async (registry: Registry): Promise<unknown> =>
    JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())) as unknown;
  const summed = (metrics: unknown): Registry => AggregatorRegistry.aggregate([metrics, metrics] as object[]);
  assert.equal(
    await summed(await json(ours)).metrics(),
    await summed(await json(theirs)).metrics(),
    'added up for several threads',
  );
});

test('a histogram without labels is present before the first observation', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const histogram = new Histogram(ours, { ...common, buckets });
  const model = new PromHistogram({ ...common, buckets, registers: [theirs] });
  assert.match(await ours.metrics(), /_count 0/);
  for (const value of observed) {
    assert.equal(await ours.metrics(), await theirs.metrics());
    histogram.observe({}, value);
    model.observe(value);
  }
  assert.equal(await ours.metrics(), await theirs.metrics());
});

test('a name is taken once', () => {
  const registry = new Registry();
  const make = (): unknown => new Histogram(registry, { ...common, buckets });
  make();
  assert.throws(make, /already been registered/);
});
