import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act, createElement as h } from 'react';

const { heightFrom, MessageFrame } = await import('../src/parts/message-frame.tsx');
const { makeHarmless } = await import('../src/preview/preview-harmless.ts');
const { render } = await import('./render.ts');

const frameOf = (): HTMLIFrameElement => document.querySelector('iframe') as HTMLIFrameElement;
const say = async (data: unknown, source: unknown): Promise<void> =>
  await act(async () => {
    const said = new Event('message');
    Object.assign(said, { data, source });
    dispatchEvent(said);
  });

test('a frame is as high as its message, and takes heights from its own message only', async () => {
  const page = await render(h(MessageFrame, { html: '<p>Hello</p>', title: 'Message', isFitted: true }));
  assert.equal(frameOf().style.height, '');
  await say({ height: 300 }, frameOf().contentWindow);
  assert.equal(frameOf().style.height, '302px');
  await say({ height: 900 }, window);
  await say({ height: '900' }, frameOf().contentWindow);
  assert.equal(frameOf().style.height, '302px');
  await page.end();
});

test('heights are bounded', () => {
  assert.deepEqual(
    [1, 500, 1e9, Number.NaN, Infinity].map((height) => heightFrom({ height })),
    [66, 502, 6_002, undefined, undefined],
  );
  assert.equal(heightFrom('preview ready'), undefined);
});

test('what of a message would run or load by itself is taken out, the rest stays', () => {
  const message = new DOMParser().parseFromString(
    `<html><head><meta http-equiv="refresh" content="0;url=https://evil.example"><link rel="stylesheet" href="https://evil.example/a.css">
      <style>p { color: red }</style><base href="https://evil.example"></head>
      <body onload="run()"><p id="text">Hello</p><script>run()</script><img src="data:," onerror="run()">
      <a href=" javascript:run()">Away</a><a href="https://example.com">Shop</a><iframe src="https://evil.example"></iframe>
      <template shadowrootmode="open"><script>run()</script></template><input autofocus value="x"><noscript><b>Plain</b></noscript></body></html>`,
    'text/html',
  );
  makeHarmless(message);
  const left = message.documentElement.outerHTML;
  assert.doesNotMatch(left, /run\(\)|evil\.example|autofocus|noscript|<template|<iframe/);
  assert.match(left, /Hello/);
  assert.match(left, /<b>Plain<\/b>/);
  assert.match(left, /https:\/\/example\.com/);
  assert.match(left, /color: red/);
});
