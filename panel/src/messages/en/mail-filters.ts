export const messages = {
  sender: 'Sender',
  category: 'Category',
  group: 'Group',
  tag: 'Tag',
  tag_hint: 'Tag, as name:value',
  test: 'Test mode',
  tests: { true: 'Tests only', false: 'Without tests' },
};
