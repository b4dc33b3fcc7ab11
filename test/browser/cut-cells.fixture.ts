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

/** A value as long as this is shown whole where its list has room; a longer one may be cut. In pixels. */
const longValue = 320;

/**
 * Runs in the page: columns that cut a value although others of their list have more room than they need, and times that
 * are cut. How wide the values are is seen in a copy that is laid out by its content.
 */
const compare = `(() => {
  const found = [];
  for (const table of document.querySelectorAll('table[aria-label]')) {
    const headers = [...table.querySelectorAll('thead th')];
    if (headers.length === 0 || table.querySelector('iframe')) continue;
    const copy = table.cloneNode(true);
    copy.style.cssText = 'position: absolute; visibility: hidden; width: max-content; table-layout: auto';
    for (const header of copy.querySelectorAll('thead th')) header.style.setProperty('width', 'auto', 'important');
    table.after(copy);
    const needed = [...copy.querySelectorAll('thead th')].map((header) => header.getBoundingClientRect().width);
    copy.remove();
    const has = headers.map((header) => header.getBoundingClientRect().width);
    const spare = has.reduce((sum, width, at) => sum + Math.max(0, width - needed[at] - 12), 0);
    for (const [at, header] of headers.entries()) {
      const lacks = needed[at] - has[at];
      const hasTime = table.querySelector('tbody td:nth-child(' + (at + 1) + ') > time') !== null;
      if (lacks > 2 && (hasTime || (needed[at] <= ${longValue} && spare > lacks)))
        found.push(table.getAttribute('aria-label') + ': ' + header.textContent + ' lacks ' + Math.round(lacks) + ', spare are ' + Math.round(spare));
    }
  }
  return found;
})()`;

export async function findUnevenColumns(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(compare);
}

/** By list and column, in pixels. */
export type ColumnWidths = Record<string, number>;

const readWidths = `Object.fromEntries(
  [...document.querySelectorAll('table[aria-label]')].flatMap((table) =>
    [...table.querySelectorAll('thead th')].map((header) => [
      table.getAttribute('aria-label') + ': ' + header.textContent, header.getBoundingClientRect().width,
    ]),
  ),
)`;

export async function columnWidths(page: Page): Promise<ColumnWidths> {
  return await page.evaluate<ColumnWidths>(readWidths);
}

/** A time that was written meanwhile is a little wider. */
const littleWider = 40;

/**
 * Columns that another window in between has changed, although this one is as wide as before. A column that was first seen
 * in a wider window may have found room meanwhile.
 */
export function findMoved(before: ColumnWidths, after: ColumnWidths): string[] {
  if (Object.keys(before).join() !== Object.keys(after).join()) return [];
  return Object.entries(after)
    .filter(([column, width]) => Math.abs(width - (before[column] ?? width)) > littleWider)
    .map(
      ([column, width]) =>
        `${column} is ${Math.round(width)} wide, and was ${Math.round(before[column] ?? 0)}`,
    );
}
