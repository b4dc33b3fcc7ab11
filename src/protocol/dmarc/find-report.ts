import { partBytes } from '../mime/decode-part.ts';
import { readParts } from '../mime/read-parts.ts';
import { readAggregate, type AggregateReport } from './read-aggregate.ts';
import { unpackReport } from './unpack-report.ts';

/** Vendors attach one file, beside a few words; what has more is looked at no further. */
const most_attachments = 5;
const words = /^(?:text\/(?:plain|html)|message\/|image\/)/;

/** The aggregate report in a mail, attached or as its whole body, under whatever type and name. */
export async function findAggregateReport(raw: Buffer): Promise<AggregateReport | undefined> {
  const { parts } = readParts(raw);
  // A file that is sent as text is looked at last.
  const files = [
    ...parts.filter(({ type }) => !words.test(type)),
    ...parts.filter(({ type }) => type === 'text/plain'),
  ];
  for (const part of files.slice(0, most_attachments)) {
    const xml = await unpackReport(partBytes(part));
    const report = xml === undefined ? undefined : await readAggregate(xml);
    if (report) return report;
  }
  return undefined;
}
