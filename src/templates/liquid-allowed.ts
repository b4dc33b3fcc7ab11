import { filters as knownFilters, tags as knownTags } from 'liquidjs';
import { allowedFilters, allowedTags } from './liquid-names.ts';

const notAllowed = {
  tag: new Set(Object.keys(knownTags).filter((name) => !allowedTags.includes(name))),
  filter: new Set(Object.keys(knownFilters).filter((name) => !allowedFilters.includes(name))),
};

/** The message for a tag or filter of Liquid that is not allowed; undefined for unknown ones. */
export function explainForbidden(message: string): string | undefined {
  const [, tag = ''] = /^tag "([^"]*)" not found/.exec(message) ?? [];
  const [, filter = ''] = /^undefined filter: (.*)$/.exec(message) ?? [];
  if (notAllowed.tag.has(tag)) return `the tag ${tag} is not allowed`;
  return notAllowed.filter.has(filter) ? `the filter ${filter} is not allowed` : undefined;
}
