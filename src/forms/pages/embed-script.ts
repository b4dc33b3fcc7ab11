/**
 * The script that shows a form in a page of another site: a frame before its own element, as high as the form says, in
 * the colours of the page around it. Messages count only from that frame and from our origin, within bounds. It reads
 * and stores nothing of the visitor.
 */
export function embedScript(url: string, title: string): string {
  return `(function () {
  var here = document.currentScript;
  if (!here || !here.parentNode) return;
  var wanted = here.dataset.colorScheme;
  var scheme = wanted === 'light' || wanted === 'dark' ? wanted : schemeAround(here.parentNode);
  var frame = document.createElement('iframe');
  frame.src = ${literal(url)} + '&scheme=' + scheme;
  frame.title = ${literal(title)};
  frame.loading = 'lazy';
  frame.referrerPolicy = 'no-referrer';
  frame.style.cssText = 'display:block;width:100%;border:0;color-scheme:' + scheme;
  frame.style.height = here.dataset.height || '640px';
  window.addEventListener('message', function (event) {
    if (event.source !== frame.contentWindow || event.origin !== ${literal(new URL(url).origin)}) return;
    var data = event.data;
    var height = data && data.type === 'chasqui:height' ? Number(data.height) : 0;
    if (height >= 50 && height <= 10000) frame.style.height = Math.ceil(height) + 'px';
  });
  var loads = 0;
  frame.addEventListener('load', function () {
    loads += 1;
    if (loads > 1 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: 'start' });
  });
  here.parentNode.insertBefore(frame, here);

  function schemeAround(element) {
    for (var at = element; at && at.nodeType === 1; at = at.parentNode) {
      var parts = (getComputedStyle(at).backgroundColor.match(/[\\d.]+/g) || []).map(Number);
      if (parts.length >= 3 && !(parts[3] < 0.5)) {
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] < 110 ? 'dark' : 'light';
      }
    }
    var declared = getComputedStyle(document.documentElement).colorScheme;
    var dark = window.matchMedia && window.matchMedia('(prefers-color-scheme: dark)').matches;
    return /dark/.test(declared) && (dark || !/light/.test(declared)) ? 'dark' : 'light';
  }
})();
`;
}

/** A JSON string is a JavaScript literal; `<` is escaped for inline use. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
}
