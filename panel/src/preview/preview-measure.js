// The only script in the frame of a message. It says how high the message is, which nothing outside of the frame can see.
const { documentElement } = document;
const scrollbar = 16;
function tell() {
  const isWider = documentElement.scrollWidth > documentElement.clientWidth;
  const height = Math.ceil(documentElement.getBoundingClientRect().height) + (isWider ? scrollbar : 0);
  parent.postMessage({ height }, '*');
}
// Browsers observe nothing in a frame below the window: it must not change its height when the reader comes to it.
for (const event of ['DOMContentLoaded', 'load']) addEventListener(event, tell);
if (document.readyState !== 'loading') tell();
new ResizeObserver(tell).observe(documentElement);
