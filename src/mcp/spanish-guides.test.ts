import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guideText, spanishGuides, spanishGuideText } from './guides.ts';

/** Levels of the headings, in their order. */
const sections = (text: string): number[] =>
  [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);

/** What is typed, without comments: it runs in the test of the English guides. */
const commands = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block.replaceAll(/ +# .*$/gm, ''));

for (const name of spanishGuides) {
  test(`${name} has the same sections and commands in both languages`, async () => {
    const [english, spanish = ''] = [await guideText(name), await spanishGuideText(name)];
    assert.ok(sections(spanish).length > 3);
    assert.deepEqual(sections(spanish), sections(english));
    assert.deepEqual(commands(spanish), commands(english));
  });
}
