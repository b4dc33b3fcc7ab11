export const messages = {
  domain: 'Domain',
  sandbox: 'Sandbox',
  sandboxes: { true: 'only', false: 'left out' },
  sender: 'Sender',
  category: 'Category',
  group: 'Group',
  tag: 'Tag',
  tag_hint: 'Tag, as name:value',
  test: 'Test mode',
  tests: { true: 'Tests only', false: 'Without tests' },
};
