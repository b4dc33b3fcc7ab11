import { partBytes } from '../mime/decode-part.ts';
import { readParts } from '../mime/read-parts.ts';
import { readAggregate, type AggregateReport } from './read-aggregate.ts';
import { unpackReport } from './unpack-report.ts';

/** Vendors attach one file, beside a few words; what has more is looked at no further. */
const maxAttachments = 5;
/** Of one attachment, as it is in the mail: genuine ones have some kilobytes, the largest one or two megabytes. */
const maxEncoded = 5 * 1024 * 1024;
const words = /^(?:text\/(?:plain|html)|message\/|image\/)/;

/** The aggregate report in a mail, attached or as its whole body, under whatever type and name. */
export async function findAggregateReport(raw: Buffer): Promise<AggregateReport | undefined> {
  const { parts } = readParts(raw);
  // A file that is sent as text is looked at last.
  const files = [
    ...parts.filter(({ type }) => !words.test(type)),
    ...parts.filter(({ type }) => type === 'text/plain'),
  ];
  for (const part of files.slice(0, maxAttachments)) {
    const xml = part.body.length > maxEncoded ? undefined : await unpackReport(partBytes(part));
    const report = xml === undefined ? undefined : await readAggregate(xml);
    if (report) return report;
  }
  return undefined;
}
