import { everyPage as everyPageUpTo } from '../base/http/every-page.ts';
import type { PageOf, PageRequest } from '../base/http/pagination.ts';

const maxPages = 20;

/** Lists of other services go by keys, those of ours by pages: short ones are read whole, up to 2,000 items. */
export async function everyPage<Item>(list: (page: PageRequest) => Promise<PageOf<Item>>): Promise<Item[]> {
  return await everyPageUpTo(list, maxPages);
}
