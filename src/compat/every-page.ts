import type { PageOf } from '../base/http/pagination.ts';

const page_size = 100;
const max_pages = 20;

/** Lists of other services go by keys, those of ours by pages: short ones are read whole, up to 2,000 items. */
export async function everyPage<Item>(
  list: (page: { page: number; page_size: number }) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; page <= max_pages; page += 1) {
    const { data, pagination } = await list({ page, page_size });
    items.push(...data);
    if (!pagination.has_more) break;
  }
  return items;
}
