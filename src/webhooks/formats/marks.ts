/** What other services’ labels are called among our tags: Postmark’s `Tag`, and SendGrid’s categories in their order. */
export const tagName = 'Tag';

export function categoryTag(index: number): string {
  return index === 0 ? 'category' : `category.${index + 1}`;
}

/** No other service has more. */
const maxCategories = 10;

export function categoriesOf(tags: Readonly<Record<string, string>>): string[] {
  const categories: string[] = [];
  for (let index = 0; index < maxCategories; index += 1) {
    const category = tags[categoryTag(index)];
    if (category === undefined) break;
    categories.push(category);
  }
  return categories;
}

/** What stands between the two ends of a name is a text or nothing. */
export function textOf(data: Readonly<Record<string, unknown>> | null, name: string): string {
  const value = data?.[name];
  return typeof value === 'string' ? value : '';
}
