import type { Page } from 'playwright-core';

/**
 * Runs in the page: texts whose colour has less than 4.5 to 1 against what is behind them (WCAG 2.2 §1.4.3), as
 * `tag: ratio`. Nothing behind text is transparent here but what shows the colour of an ancestor, or at last Chromium's canvas.
 */
const measure = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.textContent.trim() === '' || element.closest('script, style')) continue;
    const pair = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) low.push(element.tagName + ': ' + ratio.toFixed(2));
  }
  return low;
})()`;

export async function findLowContrast(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(measure);
}
