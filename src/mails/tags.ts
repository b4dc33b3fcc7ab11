import { Type, type TUnsafe } from 'typebox';

/** Names and values of a send, chosen by its caller. */
export type Tags = Readonly<Record<string, string>>;

/** Contract §16. */
export const tagLimits = { tags: 20, name: 64, value: 256 };

const namePattern = `[A-Za-z0-9_.-]{1,${tagLimits.name}}`;
const wholeName = new RegExp(`^${namePattern}$`);

export function isTagName(text: string): boolean {
  return wholeName.test(text);
}

/** `additionalProperties` and not a pattern: generators of clients make a record of it. */
export const Tags: TUnsafe<Tags> = Type.Unsafe<Tags>({
  $id: 'Tags',
  type: 'object',
  description: `Your own names and values, at most ${tagLimits.tags}. Names have up to ${tagLimits.name} letters, digits and \`_ . -\`, values up to ${tagLimits.value} characters.`,
  maxProperties: tagLimits.tags,
  propertyNames: { pattern: wholeName.source },
  additionalProperties: { type: 'string', maxLength: tagLimits.value },
  examples: [{ campaign: 'welcome', order_id: '1001' }],
});

/** As the index and the filters have it. A name has no colon, so the first one ends it. */
export function tagKey(name: string, value: string): string {
  return `${name}:${value}`;
}

/** Query parameter `tag`, once or several times. */
export const TagFilter = Type.Array(
  Type.String({
    pattern: `^${namePattern}:`,
    maxLength: tagLimits.name + 1 + tagLimits.value,
  }),
  {
    maxItems: tagLimits.tags,
    description: 'A tag as `name:value`; several for mail that has all of them.',
    examples: [['campaign:welcome']],
  },
);
