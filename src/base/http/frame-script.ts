/**
 * Runs in a page that is framed by another site: tells the frame's owner how high the page is, again whenever that
 * changes. The height is all that leaves the page, so every parent may hear it.
 */
export const frameScript = `
(function () {
  if (window.parent === window || !window.ResizeObserver) return;
  var told = 0;
  function tell() {
    var height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: 'chasqui:height', height: height }, '*');
  }
  new ResizeObserver(tell).observe(document.body);
  window.addEventListener('load', function () { told = 0; tell(); });
})();
`;
