// The service lets frames of no origin read assets named preview…: what it is made of has such names.
import { makeHarmless } from './preview-harmless.ts';
import measure from './preview-measure.js?url';
import { inScheme } from './preview-scheme.ts';

/**
 * Runs in the frame that shows a message. What the panel posts goes into a frame of its own origin, which takes the
 * policy of this page: no form, no picture unless this page may load some, and no script but the one that tells how high
 * the message is.
 */
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts');
frame.title = 'Message';
document.body.append(frame);

const { origin, pathname } = new URL(location.href);
const withImages = pathname.endsWith('-with-images.html');

const measureUrl = new URL(measure, location.href).href;
const ownPart = `<meta http-equiv="Content-Security-Policy" content="script-src ${measureUrl}"><script async crossorigin src="${measureUrl}"></script>`;

addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
  if (typeof data !== 'object' || data === null) return;
  if (source === frame.contentWindow && 'height' in data) parent.postMessage({ height: data.height }, '*');
  if (source !== parent || !('html' in data)) return;
  const message = new DOMParser().parseFromString(String(data.html), 'text/html');
  // The person who looks at a message here is not its recipient: no open is counted.
  for (const pixel of message.querySelectorAll(`img[src^="${origin}/o/"]`)) pixel.remove();
  makeHarmless(message);
  if (!withImages) withoutRemote(message);
  frame.style.filter = inScheme(message, 'scheme' in data && data.scheme === 'dark' ? 'dark' : 'light');
  // What is ours comes first: the policy holds for all that follows.
  frame.srcdoc = `<!doctype html>${ownPart}${message.documentElement.outerHTML}`;
});
parent.postMessage('preview ready', '*');

/** The policy would refuse them too, and fill the console with it. */
function withoutRemote(message: Document): void {
  for (const element of message.querySelectorAll('[src], [srcset], [background], [poster]')) {
    for (const name of ['src', 'srcset', 'background', 'poster']) {
      if (!element.getAttribute(name)?.startsWith('data:')) element.removeAttribute(name);
    }
  }
  const remote = /url\((?!\s*['"]?data:)[^)]*\)|@import[^;]*;?/gi;
  for (const style of message.querySelectorAll('style'))
    style.textContent = style.textContent.replaceAll(remote, '');
  for (const element of message.querySelectorAll('[style]')) {
    element.setAttribute('style', element.getAttribute('style')?.replaceAll(remote, 'none') ?? '');
  }
}
