import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastOf, readableOn, withContrast } from './colour-contrast.ts';

test('contrast is that of WCAG, in either order and with short colours', () => {
  assert.equal(contrastOf('#000', '#ffffff'), 21);
  assert.equal(contrastOf('#fff', '#fff'), 1);
  // #767676 is the lightest grey that passes on white.
  assert.ok(contrastOf('#fff', '#767676') >= 4.5 && contrastOf('#777777', '#fff') < 4.5);
});

test('black or white can be read on every colour', () => {
  for (let grey = 0; grey < 256; grey += 1) {
    const colour = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
    assert.ok(contrastOf(colour, readableOn(colour)) >= 4.5, colour);
  }
});

test('a colour is changed only as far as the contrast needs', () => {
  assert.equal(withContrast('#0b6b53', '#ffffff', 3), '#0b6b53');
  const lighter = withContrast('#0b3b53', '#171e26', 3);
  assert.ok(contrastOf(lighter, '#171e26') >= 3 && contrastOf(lighter, '#171e26') < 4, lighter);
  const darker = withContrast('#ffee00', '#fff', 3);
  assert.ok(contrastOf(darker, '#fff') >= 3 && contrastOf(darker, '#fff') < 4, darker);
});
