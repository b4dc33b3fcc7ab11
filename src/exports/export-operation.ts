import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import type { ErrorCode } from '../base/errors/catalogue.ts';
import type { Access, Caller, Role, Scope } from '../base/http/access.ts';
import { exportFormats } from './export-format.ts';
import type { Exports, ExportSelection } from './exports.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Enum, Nullable } from '../base/http/schemas.ts';
import { actorOf, recordAudit } from '../audit/index.ts';

export interface ExportContext {
  db: Queryable;
  exports: Exports;
  clock: Clock;
}

interface ExportDefinition<Params extends TObject | undefined, Filters extends TProperties> {
  id: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Of a key; an export only for the panel has a role instead. */
  scope: Scope | { role: Role };
  params?: Params;
  /** Filters of the list, without paging; `format` and `tz` are added. */
  filters: Filters;
  /** One row as JSON. */
  row: TSchema;
  /** The CSV example is derived from the JSON one by default. */
  example: { json: object; csv?: string };
  errors?: ErrorCode[];
  /** Name in the audit log and prefix of the file name: `consent-events`. */
  name: string;
  select: (call: {
    caller: Caller;
    params: Params extends TObject ? Static<Params> : undefined;
    query: Static<TObject<Filters>> & { tz?: string | null };
    now: Date;
  }) => Promise<ExportSelection>;
}

const fileQuery = {
  format: Type.Optional(
    Nullable(
      Enum(exportFormats, {
        description: '`csv` (the default) or `json`.',
      }),
    ),
  ),
  tz: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 254,
        description:
          'IANA zone of the dates in the file, and of the date filters; UTC in the file when left out or unknown.',
      }),
    ),
  ),
};

/**
 * The export of a list: all matching rows as CSV or JSON, streamed from one snapshot. It is audited with its filters
 * before the first row is sent.
 */
export function exportOperation<
  const Filters extends TProperties,
  Params extends TObject | undefined = undefined,
>(definition: ExportDefinition<Params, Filters>, { db, exports, clock }: ExportContext): Operation {
  const { id, path, tag, summary, description, scope, params, row, example, name } = definition;
  const query = Type.Object({ ...definition.filters, ...fileQuery });
  return operation({
    id,
    method: 'GET',
    path,
    tag,
    summary,
    description: `${description} All matching rows in one file, CSV (RFC 4180, UTF-8 with BOM, formulas neutralised) or JSON, from one snapshot. If the connection breaks, discard the file and ask again. Two exports of an instance run at a time.`,
    access: accessOf(scope),
    ...(params ? { params } : {}),
    query,
    success: {
      status: 200,
      description: 'The file.',
      schema: Type.Object({ data: Type.Array(row) }),
      example: { data: [example.json] },
      also: { 'text/csv': { schema: Type.String(), example: example.csv ?? csvOf(example.json) } },
    },
    errors: definition.errors ?? [],
    handle: async (call) => {
      const { format, ...filters } = call.query as { format?: 'csv' | 'json' | null; tz?: string | null };
      const now = clock.now();
      const selection = await definition.select({ ...call, now } as never);
      return exports.download({
        instance_id: call.caller.instance.id,
        selection,
        format: format ?? 'csv',
        tz: filters.tz,
        file_name: `${name}-${now.toISOString().slice(0, 10)}`,
        audit: async () =>
          await recordAudit(db, {
            instance_id: call.caller.instance.id,
            actor: actorOf(call),
            action: `${name.replaceAll('-', '_')}.exported`,
            object: { kind: 'export' },
            details: { format: format ?? 'csv', filters, ...(params ? { path: call.params } : {}) },
          }),
      });
    },
  });
}

/** A header and one row, for the example. */
function csvOf(row: object): string {
  const cell = (value: unknown): string => {
    if (value === null) return '';
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  return [Object.keys(row), Object.values(row)].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

type ExportAccess = Extract<Access, { kind: 'api_key' | 'user' }>;

function accessOf(scope: Scope | { role: Role }): ExportAccess {
  return typeof scope === 'string' ? { kind: 'api_key', scope } : { kind: 'user', ...scope };
}
