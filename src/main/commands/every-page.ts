import type { PageOf, PageRequest } from '../../base/http/pagination.ts';

/** All items of a list, page by page. */
export async function everyPage<Item>(
  list: (request: PageRequest) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const found = await list({ page, page_size: 100 });
    items.push(...found.data);
    more = found.pagination.has_more;
  }
  return items;
}
