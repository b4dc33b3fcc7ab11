import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { StopReason } from './request-schemas.ts';

export interface UnderWay {
  id: number;
  instance: string;
  started_at: Date;
  mails: number;
  rows: number;
  next_at: Date | null;
  failures: number;
  error: string | null;
  stopped_at: Date | null;
  stop_reason: StopReason | null;
}

/** Decided, and not at its end: running, waiting or stopped. */
export async function listErasuresUnderWay(db: Queryable, request: PageRequest): Promise<PageOf<UnderWay>> {
  return await selectPage<UnderWay & Record<string, unknown>>(
    db,
    {
      columns: `r.id, i.slug as instance, r.started_at, coalesce((r.progress ->> 'mails')::bigint, 0) as mails,
        coalesce((r.progress ->> 'rows')::bigint, 0) as rows, r.erasure_next_at as next_at, r.erasure_failures as failures,
        r.erasure_error as error, r.stopped_at, r.stop_reason`,
      source: `from rights_requests r join instances i on i.id = r.instance_id
        where r.status = 'open' and r.started_at is not null`,
      order_by: 'r.stopped_at nulls last, r.started_at, r.id',
      values: [],
    },
    request,
  );
}
