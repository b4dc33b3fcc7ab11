export const messages = {
  export: 'Export',
  formats: { csv: 'As CSV, for spreadsheets', json: 'As JSON' },
  exporting: (size: string) => `Exporting… ${size}`,
  exported: (size: string) => `The export is complete: ${size}.`,
  failed: 'The export failed. Nothing was saved.',
  cancel: 'Cancel',
};
