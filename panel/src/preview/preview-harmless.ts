/** What would run, load or lead away by itself; the policy of the page refuses it as well. */
const active = 'script, template, iframe, frame, object, embed, base, link, meta[http-equiv]';

/** Takes everything out of a message that does something by itself. */
export function makeHarmless(message: Document): void {
  for (const element of message.querySelectorAll(active)) element.remove();
  // Mail programs run no scripts: they show what is for readers without.
  for (const element of message.querySelectorAll('noscript')) element.replaceWith(...element.childNodes);
  for (const element of message.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      const isScript = name.startsWith('on') || /^\s*javascript:/i.test(element.getAttribute(name) ?? '');
      if (isScript || name === 'autofocus') element.removeAttribute(name);
    }
  }
}
