/**
 * SQL for the comparison key of an address: lower case in every alphabet, as in the columns `recipient_key`. The result has
 * the default collation again; with ICU's no index on the column would be used.
 */
export function addressKey(sql: string): string {
  return `lower(${sql} collate "und-x-icu") collate "default"`;
}
