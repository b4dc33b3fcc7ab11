/**
 * SQL for an address as it is compared: in lower case of every alphabet, which is how the columns `recipient_key` hold it.
 * The collation of the result is the column's again; with ICU's own no index of the column would serve.
 */
export function addressKey(sql: string): string {
  return `lower(${sql} collate "und-x-icu") collate "default"`;
}
