/** A script that puts a frame with the form where its own element stands. */
export function embedding(url: string, title: string): string {
  return `(function () {
  var here = document.currentScript;
  var frame = document.createElement('iframe');
  frame.src = ${literal(url)};
  frame.title = ${literal(title)};
  frame.loading = 'lazy';
  frame.referrerPolicy = 'no-referrer';
  frame.style.cssText = 'width:100%;min-height:' + ((here && here.dataset.height) || '640px') + ';border:0';
  if (here && here.parentNode) here.parentNode.insertBefore(frame, here);
})();
`;
}

/** As JSON, which is JavaScript too; without what would end an element if it were put into a page. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
}
