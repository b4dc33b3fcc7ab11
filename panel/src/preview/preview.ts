// The service lets frames of no origin read assets named preview…: what it is made of has such names.
import { inScheme } from './preview-scheme.ts';

/**
 * Runs in the frame that shows a message. What the panel posts goes into a frame without any right, which takes the
 * policy of this page: no script, no form, and no picture unless this page may load some.
 */
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', '');
frame.title = 'Message';
document.body.append(frame);

const { origin, pathname } = new URL(location.href);
const withImages = pathname.endsWith('-with-images.html');

addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
  if (source !== parent || typeof data !== 'object' || data === null || !('html' in data)) return;
  const message = new DOMParser().parseFromString(String(data.html), 'text/html');
  // Whoever looks at a message here is not its recipient: no open is counted.
  for (const pixel of message.querySelectorAll(`img[src^="${origin}/o/"]`)) pixel.remove();
  if (!withImages) withoutRemote(message);
  frame.style.filter = inScheme(message, 'scheme' in data && data.scheme === 'dark' ? 'dark' : 'light');
  frame.srcdoc = `<!doctype html>${message.documentElement.outerHTML}`;
});
parent.postMessage('preview ready', '*');

/** The policy would refuse them too, and fill the console with it. */
function withoutRemote(message: Document): void {
  for (const element of message.querySelectorAll('[src], [srcset], [background], [poster]')) {
    for (const name of ['src', 'srcset', 'background', 'poster']) {
      if (!element.getAttribute(name)?.startsWith('data:')) element.removeAttribute(name);
    }
  }
  for (const link of message.querySelectorAll('link, base')) link.remove();
  const remote = /url\((?!\s*['"]?data:)[^)]*\)|@import[^;]*;?/gi;
  for (const style of message.querySelectorAll('style'))
    style.textContent = style.textContent.replaceAll(remote, '');
  for (const element of message.querySelectorAll('[style]')) {
    element.setAttribute('style', element.getAttribute('style')?.replaceAll(remote, 'none') ?? '');
  }
}
