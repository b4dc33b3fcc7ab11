/** The DNS tree walk of RFC 9989 §4.10, which the package has without types. */
declare module 'mailauth/lib/dmarc/get-dmarc-record.js' {
  interface PolicyRecord {
    p?: string;
    psd?: string;
  }
  type RecordLookup = (name: string) => Promise<PolicyRecord | false>;
  type Resolve = (name: string, type: string) => Promise<string[] | string[][]>;

  export function createRecordLookup(resolver: Resolve, options: { strict: boolean }): RecordLookup;
  /** Throws when a lookup fails. */
  export function getOrgDomain(domain: string, lookUp: RecordLookup): Promise<string>;
}
