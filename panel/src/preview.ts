/**
 * Runs in the frame that shows a message. What the panel posts goes into a frame without any right, which takes the
 * policy of this page: no script, no form, and no picture unless this page may load some.
 */
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', '');
frame.title = 'Message';
document.body.append(frame);

addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
  if (source !== parent || typeof data !== 'object' || data === null || !('html' in data)) return;
  frame.srcdoc = String(data.html);
});
parent.postMessage('preview ready', '*');
