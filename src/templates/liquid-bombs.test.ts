import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bombs } from './liquid-bombs.fixture.ts';
import { validateLiquid } from './validate-liquid.ts';
import { Budget, TemplateLimit } from './liquid-budget.ts';
import { renderUnits, smallUnits } from './liquid-limits.ts';
import { renderTemplate } from './render-template.ts';
import { sampleData } from './template-data.ts';

/** Processor time of this process, which other processes of the machine do not change. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const content = (html: string) => ({ subject: null, html, text: null });
/** Three times what was measured; what is not counted takes much more. */
const maxNsPerUnit = 50;
/** A busy machine disturbs some rounds, and what is not counted is in all of them. */
const rounds = 4;

for (const [title, source] of Object.entries(bombs)) {
  test(`work is counted: ${title}`, (t) => {
    const rendering = (units: number): number =>
      cpuMs(() => assert.throws(() => renderTemplate(content(source), sampleData, units), TemplateLimit));
    // Once without measuring, for the compiler.
    rendering(smallUnits(source.length));
    const most = (renderUnits * maxNsPerUnit) / 1e6;
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds && ms >= most; round += 1) ms = Math.min(ms, rendering(renderUnits));
    t.diagnostic(`${Math.round(ms)} ms`);
    assert.ok(ms < most, `${ms} ms`);
  });
}

test('a template that cannot be sent cannot be saved', () => {
  for (const [title, source] of Object.entries(bombs)) {
    const [found] = validateLiquid({ pointer: '/source', source, kind: 'html' });
    assert.equal(found?.code, 'value_error.liquid', title);
  }
});

test('a budget is one for all that charges it', () => {
  const budget = new Budget(1_000);
  budget.use(-5);
  budget.use(Number.NaN);
  budget.use(1_000);
  assert.throws(() => budget.use(1), TemplateLimit);
});
