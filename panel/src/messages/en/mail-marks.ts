export const messages = { sandbox: 'Sandbox', test: 'Sent in test mode' };
