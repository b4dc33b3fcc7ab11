import { Window } from 'happy-dom';
import { register } from 'node:module';

/**
 * A document for components, and JSX for Node: imported before anything of the panel, which is then imported with
 * `await import()`.
 */
register('./tsx-hooks.ts', import.meta.url);
// Outside of tests the router takes Node for a server, whatever document there is.
process.env['NODE_ENV'] = 'test';

const window = new Window({ url: 'http://localhost/panel/', width: 1280, height: 800 });
// Fields that grow ask when fonts have come.
Object.defineProperty(window.document, 'fonts', { value: new EventTarget() });
const given = [
  'window',
  'self',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
];
const kinds = Object.getOwnPropertyNames(window).filter((name) =>
  /^(?:HTML|SVG|CSS|Mutation|Resize|Intersection)/.test(name),
);
const others = [
  'Node',
  'Element',
  'DocumentFragment',
  'ShadowRoot',
  'Text',
  'Comment',
  'Event',
  'CustomEvent',
  'MouseEvent',
  'KeyboardEvent',
  'PointerEvent',
  'FocusEvent',
  'InputEvent',
  'SubmitEvent',
  'StorageEvent',
  'EventTarget',
  'NodeFilter',
  'DOMParser',
  'FormData',
  'getComputedStyle',
  'matchMedia',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
  'customElements',
  'scrollTo',
];
for (const name of [...given, ...kinds, ...others]) {
  const value: unknown = name === 'window' || name === 'self' ? window : Reflect.get(window, name);
  const isFunctionOfWindow = typeof value === 'function' && /^[a-z]/.test(name);
  Object.defineProperty(globalThis, name, {
    value: isFunctionOfWindow ? (value as (...given: unknown[]) => unknown).bind(window) : value,
    configurable: true,
    writable: true,
  });
}
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// Reads that a test gives no answer to stay under way: what cannot be reached is asked for again and again, by timers.
globalThis.fetch = async () => await new Promise<never>(() => undefined);
