import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from './canonical-json.ts';

test('the example of RFC 8785 §3.2.2 has the form of §3.2.3', () => {
  const example = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  assert.equal(
    canonicalJson(JSON.parse(example)),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are sorted by UTF-16 code units, as in RFC 8785 §3.2.3', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  assert.equal(text, `{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
});

test('values that differ only in the order of members are the same', () => {
  assert.equal(canonicalJson({ a: { c: 1, b: 2 }, d: [] }), canonicalJson({ d: [], a: { b: 2, c: 1 } }));
});
