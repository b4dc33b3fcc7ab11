import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ConsentTerm, ConsentTermVersion, Field, Pagination } from '../../api/operations.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { DraftItem } from './draft.ts';

/** What a form can be made of. */
export interface Catalogue {
  fields: Field[];
  terms: ConsentTerm[];
  fieldOf: (item: DraftItem) => Field | undefined;
  termOf: (item: DraftItem) => ConsentTerm | undefined;
}

const maxPages = 10;

/** All pages of a list that people choose from. */
async function everyPage<Row>(
  read: (page: number) => Promise<{ data: Row[]; pagination: Pagination }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    // Each page is known to exist by the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const { data, pagination } = await read(page);
    rows.push(...data);
    if (!pagination.has_more) break;
  }
  return rows;
}

export function useCatalogue(): Catalogue | undefined {
  const api = useApi();
  const fields = useQuery({
    queryKey: [api.slug, 'every field'],
    queryFn: async () =>
      await everyPage(
        async (page) => await api.call('panel_list_fields', { query: { page, page_size: 100 } }),
      ),
  });
  const terms = useQuery({
    queryKey: [api.slug, 'every term'],
    queryFn: async () =>
      await everyPage(
        async (page) => await api.call('panel_list_consent_terms', { query: { page, page_size: 100 } }),
      ),
  });
  return useMemo(() => {
    if (!fields.data || !terms.data) return undefined;
    const fieldById = new Map(fields.data.map((each) => [each.id, each]));
    const termById = new Map(terms.data.map((each) => [each.id, each]));
    return {
      fields: fields.data,
      terms: terms.data,
      fieldOf: ({ field_id }) => fieldById.get(field_id ?? 0),
      termOf: ({ term_id }) => termById.get(term_id ?? 0),
    };
  }, [fields.data, terms.data]);
}

export const currentOf = ({ versions }: ConsentTerm): ConsentTermVersion | undefined =>
  versions.find(({ is_current }) => is_current);

/** Fields by which a person is reached: all that a form of kind consent asks for. */
const identifiers = new Set(['EMAIL', 'PHONE', 'UNIQUECODE']);

/** Fields that the form could still ask for. */
export function unusedFields(
  { fields }: Catalogue,
  kind: 'consent' | 'advanced',
  items: DraftItem[],
): Field[] {
  const used = new Set(items.map(({ field_id }) => field_id));
  return fields.filter(
    ({ id, is_active, field_key }) =>
      is_active && !used.has(id) && (kind === 'advanced' || identifiers.has(field_key)),
  );
}

/** Terms that could still be agreed to with the form. */
export function unusedTerms({ terms }: Catalogue, items: DraftItem[]): ConsentTerm[] {
  const used = new Set(items.map(({ term_id }) => term_id));
  return terms.filter((term) => term.is_active && !used.has(term.id) && currentOf(term) !== undefined);
}

export const asksForEmail = (catalogue: Catalogue, items: DraftItem[]): boolean =>
  items.some((item) => catalogue.fieldOf(item)?.field_key === 'EMAIL');
