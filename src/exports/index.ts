export { type ExportColumn, listed } from './export-format.ts';
export { type ExportContext, exportOperation } from './export-operation.ts';
export type { ExportSelection } from './exports.ts';
