export const messages = {
  same: 'Both texts are the same.',
  one_changed: 'One paragraph differs.',
  changed: (count: string) => `${count} paragraphs differ.`,
};
