// The only script in the frame of a message. It says how high the message is, which nothing outside of the frame can see.
const { documentElement } = document;
const scrollbar = 16;
new ResizeObserver(() => {
  const isWider = documentElement.scrollWidth > documentElement.clientWidth;
  const height = Math.ceil(documentElement.getBoundingClientRect().height) + (isWider ? scrollbar : 0);
  parent.postMessage({ height }, '*');
}).observe(documentElement);
