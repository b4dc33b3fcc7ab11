import { Problem } from '../../base/errors/problem.ts';
import { getTemplate, listTemplates } from '../../templates/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { everyPage } from '../every-page.ts';
import type { VendorRoute } from '../vendor.ts';
import { readCursor, readIntegerId } from './cursor.ts';

export function templateRoutes({ db }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/templates',
      scope: 'template:read',
      handle: async ({ caller: { instance }, query }) => {
        const { limit, after, before } = readCursor(query, readIntegerId);
        const data = await everyPage(async (page) => await listTemplates(db, instance.id, page));
        const rest = data
          .toReversed()
          .filter(({ id }) => (after === undefined || id < after) && (before === undefined || id > before));
        const shown = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
        return { object: 'list', has_more: rest.length > limit, data: shown.map(templateOf) };
      },
    },
    {
      method: 'GET',
      path: '/templates/:id',
      scope: 'template:read',
      handle: async ({ caller: { instance }, params }) => {
        const id = await idOf(db, instance.id, params['id'] ?? '');
        const template = await getTemplate(db, instance.id, id);
        return {
          object: 'template',
          ...templateOf(template),
          subject: template.subject,
          html: template.html ?? '',
          text: template.text,
          variables: null,
          from: null,
          reply_to: null,
          has_unpublished_versions: false,
          current_version_id: String(template.id),
        };
      },
    },
  ];
}

async function idOf(db: CompatContext['db'], instanceId: number, idOrAlias: string): Promise<number> {
  if (/^\d+$/.test(idOrAlias)) return readIntegerId(idOrAlias);
  const { data } = await listTemplates(db, instanceId, { alias: idOrAlias });
  const [first] = data;
  if (!first) throw new Problem('mail_template_not_found');
  return first.id;
}

interface Listed {
  id: number;
  name: string;
  alias: string | null;
  is_published: boolean;
  published_at: unknown;
  created_at: unknown;
  updated_at: unknown;
}

function templateOf({ id, name, alias, is_published, ...times }: Listed) {
  return {
    id: String(id),
    name,
    alias,
    status: is_published ? 'published' : 'draft',
    published_at: times.published_at,
    created_at: times.created_at,
    updated_at: times.updated_at,
  };
}
