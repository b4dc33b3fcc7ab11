import type { Page } from 'playwright-core';

/** As many letters as a name, a status, a date or a short address have. */
const usualLetters = 24;
/** Of a longer value as much is shown, in pixels. */
const usualWidth = 136;

/**
 * Runs in the page: headers and values of lists that are cut although they are no longer than usual, as
 * `list: header: value`. A longer value may be cut where a usual one would fit.
 */
const measure = `(() => {
  const isCut = (element) => element.scrollWidth > element.clientWidth + 1;
  const clips = (element) => getComputedStyle(element).overflowX !== 'visible';
  const isSmall = (element) => element.clientWidth < ${usualWidth} || element.textContent.trim().length <= ${usualLetters};
  const found = [];
  for (const table of document.querySelectorAll('table[aria-label]')) {
    const list = table.getAttribute('aria-label');
    const headers = [...table.querySelectorAll('thead th')];
    for (const header of headers) {
      if (header.textContent.trim() !== '' && isCut(header)) found.push(list + ': ' + header.textContent);
    }
    if (headers.length === 0) continue;
    for (const cell of table.querySelectorAll('tbody td')) {
      const boxes = [cell, ...cell.querySelectorAll('*')].filter((each) => !each.closest('svg, iframe, [inert]') && clips(each));
      const cut = boxes.find((box) => box.clientWidth > 1 && isCut(box) && isSmall(box));
      if (cut) found.push(list + ': ' + headers[cell.cellIndex]?.textContent + ': ' + cut.textContent + ' in ' + cut.clientWidth);
    }
  }
  return { cells: document.querySelectorAll('table[aria-label] tbody td').length, cut: found };
})()`;

export async function findCutCells(page: Page): Promise<{ cells: number; cut: string[] }> {
  return await page.evaluate<{ cells: number; cut: string[] }>(measure);
}
