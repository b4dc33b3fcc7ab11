export const messages = {
  sender: 'Sender',
  category: 'Category',
  group: 'Group',
  test: 'Test mode',
  tests: { true: 'Tests only', false: 'Without tests' },
};
