import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createMjmlRenderer, renderMjml } from './render-mjml.ts';

const page = (body: string, head = ''): string =>
  `<mjml>${head}<mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;

/** Elements that are never closed, before very many lines: the parser looks for the line of each. */
const endless = `<mjml><mj-body>${'<a>'.repeat(100_000)}${'\n'.repeat(500_000)}</mj-body></mjml>`;

test('MJML becomes HTML with its placeholders untouched', async () => {
  const { html } = await renderMjml(
    page('<mj-text>Hi {{ recipient.name }}</mj-text><mj-button href="{{ view_url }}">See</mj-button>'),
  );
  assert.match(html ?? '', /^<!doctype html>/i);
  assert.match(html ?? '', /Hi \{\{ recipient\.name \}\}/);
  assert.match(html ?? '', /href="\{\{ view_url \}\}"/);
});

test('no font is loaded from anyone, whatever font family is used', async () => {
  const { html } = await renderMjml(
    page('<mj-text font-family="Ubuntu, Lato, Roboto, Open Sans">x</mj-text>'),
  );
  assert.doesNotMatch(html ?? '', /fonts\.googleapis|@import|<link/);
});

test('every mistake is told with its line and element', async () => {
  const { html, errors } = await renderMjml(
    page('\n<mj-text colour="red">x</mj-text>\n<mj-nope />\n\n<mj-text color="1px">x</mj-text>'),
  );
  assert.equal(html, undefined);
  assert.deepEqual(
    errors?.map(({ line, tag }) => [line, tag]),
    [
      [2, 'mj-text'],
      [3, 'mj-nope'],
      [5, 'mj-text'],
    ],
  );
  assert.match(errors?.[0]?.message ?? '', /colour/);
});

for (const [title, source] of [
  ['plain words', 'hello'],
  ['MJML without a body', '<mjml><mj-head></mj-head></mjml>'],
  ['elements nested without end', `<mjml><mj-body>${'<mj-wrapper>'.repeat(20_000)}</mj-body></mjml>`],
] as const) {
  test(`a mistake as a whole is told at line 1: ${title}`, async () => {
    const { errors } = await renderMjml(source);
    assert.deepEqual(
      errors?.map(({ line, tag }) => [line, tag]),
      [[1, 'mjml']],
    );
    assert.doesNotMatch(errors?.[0]?.message ?? '', /call stack|node_modules/);
  });
}

test('an include is refused where it stands and nothing is read', async () => {
  for (const include of [
    '<mj-include path="/etc/passwd" type="html" />',
    '<mj-include path="package.json" type="html" />',
    '<MJ-Include path="./package.json" type="css" css-inline="inline" />',
    '<mj-include path="file:///etc/passwd"></mj-include>',
    '<mj-include\npath="..%2f..%2fetc%2fpasswd" />',
  ]) {
    const { html, errors } = await renderMjml(page(`\n\n${include}`));
    assert.equal(html, undefined);
    assert.deepEqual(
      errors?.map(({ line, tag }) => [line, tag]),
      [[3, 'mj-include']],
    );
  }
});

test('an include that hides from us reads nothing either', async () => {
  // To HTML parsers `<!-->` is a whole comment; the search for includes takes it for the beginning of one.
  const hidden = '<!--><mj-include path="package.json" type="html" /><!-- -->';
  const { html, errors } = await renderMjml(page(`<mj-text>x</mj-text>${hidden}`));
  assert.doesNotMatch(`${html}${JSON.stringify(errors)}`, /chasqui/);
});

test('comments that never end are searched in no time', async () => {
  const start = performance.now();
  const { errors } = await renderMjml(`<mjml>${'<!--'.repeat(250_000)}`);
  assert.ok(errors);
  assert.ok(performance.now() - start < 5_000);
});

test('an include in a comment is a comment', async () => {
  const { html } = await renderMjml(page('<!-- <mj-include path="a" /> --><mj-text>x</mj-text>'));
  assert.ok(html);
});

test('what takes too long is given up, and the next one is rendered', async () => {
  const render = createMjmlRenderer({ max_ms: 8_000, idle_ms: 1, max_waiting: 10 });
  const start = performance.now();
  const [slow, next] = await Promise.all([render(endless), render(page('<mj-text>next</mj-text>'))]);
  assert.match(slow.errors?.[0]?.message ?? '', /too long/);
  assert.match(next.html ?? '', /next/);
  assert.ok(performance.now() - start < 60_000);
});

test('an idle thread ends, and another one takes its place', async () => {
  const render = createMjmlRenderer({ max_ms: 10_000, idle_ms: 1, max_waiting: 10 });
  for (const word of ['one', 'two']) {
    const starting = once(process, 'worker') as Promise<[Worker]>;
    const rendering = render(page(`<mj-text>${word}</mj-text>`));
    const [thread] = await starting;
    const ending = once(thread, 'exit');
    assert.match((await rendering).html ?? '', new RegExp(word));
    await ending;
  }
});

test('a thread that ran out of memory is told as too much, and the next source is rendered', async () => {
  const render = createMjmlRenderer({ max_ms: 10_000, idle_ms: 1, max_waiting: 10, max_megabytes: 40 });
  const large = page('<mj-text>x</mj-text>'.repeat(20_000));
  assert.match((await render(large)).errors?.[0]?.message ?? '', /too large/);
  assert.match((await render(page('<mj-text>next</mj-text>'))).html ?? '', /next/);
});

test('a process that has rendered something can end at once', async () => {
  const script = `import { renderMjml } from '${new URL('render-mjml.ts', import.meta.url).href}';
    await renderMjml('<mjml><mj-body></mj-body></mjml>'); process.stdout.write('rendered')`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
  assert.deepEqual([await text(child.stdout), child.signalCode], ['rendered', null]);
});

test('when too many wait, the others are asked to come back', async () => {
  const render = createMjmlRenderer({ max_ms: 10_000, idle_ms: 1, max_waiting: 2 });
  const source = page('<mj-text>x</mj-text>');
  const answers = await Promise.allSettled([render(source), render(source), render(source)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  const [, , refused] = answers;
  assert.equal(refused.status === 'rejected' && refused.reason.code, 'service_unavailable');
  assert.ok((await render(source)).html, 'there is room again');
});
