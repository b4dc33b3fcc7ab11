import type { PageOf, PageRequest } from './pagination.ts';

/** All items of a list, page by page; at most `max_pages` of 100 items. */
export async function everyPage<Item>(
  list: (request: PageRequest) => Promise<PageOf<Item>>,
  maxPages = Infinity,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, hasMore = true; hasMore && page <= maxPages; page += 1) {
    const found = await list({ page, page_size: 100 });
    items.push(...found.data);
    hasMore = found.pagination.has_more;
  }
  return items;
}
