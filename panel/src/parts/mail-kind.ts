import type { UrlState } from './app/url-state.ts';

/** What the address says of sender, category and group, as the operations take it. */
export function mailKindOf({ sender_id, domain_id, category, custom_group_code }: UrlState) {
  return {
    domain_id: domain_id === undefined ? undefined : Number(domain_id),
    sender_id: sender_id === undefined ? undefined : Number(sender_id),
    category,
    custom_group_code,
  };
}

/** A tag, once it is typed as far as its value: `campaign:` is the empty one. */
export function tagOf({ tag }: UrlState): string[] | undefined {
  return tag?.includes(':') ? [tag] : undefined;
}

/** Mail to the sandbox, all other mail, or, undefined, both. */
export function sandboxOf({ sandbox }: UrlState): boolean | undefined {
  return sandbox === undefined ? undefined : sandbox === 'true';
}

/** Tests, all other mail, or, undefined, both. */
export function testModeOf({ test_mode }: UrlState): boolean | undefined {
  return test_mode === undefined ? undefined : test_mode === 'true';
}
