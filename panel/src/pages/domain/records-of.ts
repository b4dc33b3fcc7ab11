import type { DnsRecord, Domain } from '../../api/operations.ts';
import type { CheckName } from '../domains/domain-state.tsx';

/** The records that each check asks for. */
export function recordsOf({ dns_records }: Domain, name: CheckName): DnsRecord[] {
  const { ownership_cname, mx, spf, dkim, dmarc } = dns_records;
  return { ownership: [ownership_cname], mx: [mx], spf: [spf], dkim, dmarc: [dmarc] }[name];
}

const quoted = (value: string): string => `"${value.replaceAll('"', String.raw`\"`)}"`;
const ended = (value: string): string => (value.endsWith('.') ? value : `${value}.`);

/** As a zone file has it (RFC 1035 §5). */
export function zoneLine({ type, host, value, priority }: DnsRecord): string {
  const data = type === 'TXT' ? quoted(value) : ended(value);
  return `${ended(host)} 3600 IN ${type} ${priority === null ? '' : `${priority} `}${data}`;
}

/** A change batch for `aws route53 change-resource-record-sets`. */
export function route53Batch(records: DnsRecord[]): string {
  const changes = records.map(({ type, host, value, priority }) => ({
    Action: 'UPSERT',
    ResourceRecordSet: {
      Name: ended(host),
      Type: type,
      TTL: 3600,
      ResourceRecords: [
        {
          Value: type === 'TXT' ? quoted(value) : `${priority === null ? '' : `${priority} `}${ended(value)}`,
        },
      ],
    },
  }));
  return JSON.stringify({ Changes: changes }, undefined, 2);
}
