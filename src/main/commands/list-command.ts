import type { Queryable } from '../../base/db/database.ts';
import type { PageOf, PageRequest } from '../../base/http/pagination.ts';
import { instance, type Command } from '../command.ts';
import { table, type Columns } from '../table.ts';
import { everyPage } from '../../base/http/every-page.ts';
import { withInstance } from './with-store.ts';

interface Listed<Row> {
  summary: string;
  /** In the plural: `API keys`. */
  what: string;
  list: (db: Queryable, instanceId: number, page: PageRequest) => Promise<PageOf<Row>>;
  columns: Columns<Row>;
}

/** All of one kind of thing that an instance has, such as `sender list`. */
export function listCommand<Row>(kind: string, { summary, what, list, columns }: Listed<Row>): Command {
  return {
    name: `${kind} list`,
    arguments: '--instance S',
    summary,
    options: { instance },
    example: `chasqui ${kind} list --instance acme`,
    async run(input) {
      return await withInstance(input, async (db, { id }) => {
        const data = await everyPage(async (page) => await list(db, id, page));
        return { text: data.length > 0 ? table(data, columns) : `There are no ${what}.`, json: { data } };
      });
    },
  };
}
