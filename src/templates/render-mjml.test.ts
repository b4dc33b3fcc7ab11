import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMjml } from './render-mjml.ts';

const page = (body: string, head = ''): string =>
  `<mjml>${head}<mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;

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
  const start = process.threadCpuUsage();
  const { errors } = await renderMjml(`<mjml>${'<!--'.repeat(250_000)}`);
  assert.ok(errors);
  assert.ok(process.threadCpuUsage(start).user < 5_000_000);
});

test('an include in a comment is a comment', async () => {
  const { html } = await renderMjml(page('<!-- <mj-include path="a" /> --><mj-text>x</mj-text>'));
  assert.ok(html);
});

test('HTML that is longer than it may be stays where it was made', async () => {
  // 600 pictures are 18 KB of MJML, and 7 MB of HTML.
  const pictures = '<mj-carousel-image src="a" />'.repeat(600);
  assert.deepEqual(await renderMjml(page(`<mj-carousel>${pictures}</mj-carousel>`)), {});
});
