import { Problem } from '../../base/errors/problem.ts';
import { getTemplate, listTemplates } from '../../templates/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { everyPage } from '../every-page.ts';
import type { VendorRoute } from '../vendor.ts';
import { readFilters, readPage } from './paging.ts';

export function templateRoutes({ db }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/templates',
      scope: 'template:read',
      handle: async ({ caller: { instance }, query }) => {
        const { count, offset } = readPage(query);
        readFilters(query, ['templatetype']);
        const all = await everyPage(async (page) => await listTemplates(db, instance.id, page));
        return { TotalCount: all.length, Templates: all.slice(offset, offset + count).map(templateOf) };
      },
    },
    {
      method: 'GET',
      path: '/templates/:id',
      scope: 'template:read',
      handle: async ({ caller: { instance }, params }) => {
        const { id: idOrAlias = '' } = params;
        const isId = /^\d{1,15}$/.test(idOrAlias);
        const listed = isId ? [] : (await listTemplates(db, instance.id, { alias: idOrAlias })).data;
        const id = isId ? Number(idOrAlias) : listed[0]?.id;
        if (id === undefined) throw new Problem('mail_template_not_found');
        const template = await getTemplate(db, instance.id, id);
        return {
          ...templateOf(template),
          Subject: template.subject ?? '',
          HtmlBody: template.html,
          TextBody: template.text,
          AssociatedServerId: instance.id,
        };
      },
    },
  ];
}

interface Listed {
  id: number;
  name: string;
  alias: string | null;
  is_published: boolean;
}

function templateOf({ id, name, alias, is_published }: Listed) {
  return {
    TemplateId: id,
    Name: name,
    Alias: alias,
    Active: is_published,
    TemplateType: 'Standard',
    LayoutTemplate: null,
  };
}
