import { Readable } from 'node:stream';
import type { LineQuery, LineStream, LineStreams } from '../base/db/line-streams.ts';
import { knownTimezone } from '../base/http/date-range.ts';
import { frameOf, lineSql, type ExportColumn, type ExportFormat, type FileFrame } from './export-format.ts';
import { Download } from '../base/http/operation.ts';
import { InstanceSlots, tooMany } from '../base/instance-slots.ts';

export interface ExportSelection {
  columns: ExportColumn[];
  /** From `from` to the last condition, with values as `$1`, `$2`, …. */
  source: string;
  /** For lists: a source with as many rows that is cheaper to count. */
  count_source?: string | undefined;
  order_by: string;
  values: unknown[];
}

export interface ExportRequest {
  instance_id: number;
  selection: ExportSelection;
  format: ExportFormat;
  /** IANA zone of timestamps in the file; UTC when absent or unknown. */
  tz: string | null | undefined;
  /** Without extension. */
  file_name: string;
  /** Writes the audit event, before the first row is sent. */
  audit: () => Promise<void>;
}

/** More would only slow each other down. */
const per_instance = 2;

/** Streams files of any number of rows. */
export class Exports {
  readonly #lines: LineStreams;
  readonly #slots = new InstanceSlots({ per_instance, what: 'exports' });

  constructor(lines: LineStreams) {
    this.#lines = lines;
  }

  download(request: ExportRequest): Download {
    const { format, file_name, selection } = request;
    const frame = frameOf(format, selection.columns);
    return new Download({
      content_type: frame.content_type,
      file_name: `${file_name}.${format}`,
      open: async () => await this.#open(request, frame),
    });
  }

  async #open(request: ExportRequest, frame: FileFrame): Promise<Readable> {
    const leave = this.#slots.enter(request.instance_id);
    try {
      const lines = await this.#lines.open(queryOf(request, frame));
      if (!lines) throw tooMany('Too many exports are under way.');
      await request.audit().catch(async (error: unknown) => {
        await lines.close();
        throw error;
      });
      return fileOf(lines, frame).once('close', leave);
    } catch (error) {
      leave();
      throw error;
    }
  }
}

function queryOf({ selection, format, tz }: ExportRequest, { between }: FileFrame): LineQuery {
  const { columns, source, order_by, values } = selection;
  const timezone = knownTimezone(tz) ?? 'UTC';
  const list = columns.map(({ sql }, index) => `${sql} as c${index}`).join(', ');
  const sql = `select ${lineSql(format, columns, timezone)} from (select ${list} ${source} order by ${order_by}) as r`;
  return { sql, values, timezone, between };
}

/** A failure destroys the stream before its tail: the connection breaks, so that no truncated file looks complete. */
function fileOf(lines: LineStream, { head, tail, empty }: FileFrame): Readable {
  let before = Buffer.from(head);
  return new Readable({
    read() {
      lines.read().then(
        (chunk) => {
          if (chunk !== undefined) {
            this.push(before.length > 0 ? Buffer.concat([before, chunk]) : chunk);
            before = Buffer.alloc(0);
            return;
          }
          this.push(before.length > 0 ? empty : tail);
          this.push(null);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      void lines.close();
      done(error);
    },
  });
}
