export const audienceExample = {
  purpose_id: 2,
  conditions: [{ field: 'CITY', operator: 'in', values: ['SANTIAGO', 'VALPARAISO'] }],
  exclude: ['ana@example.com'],
};

export const newExample = {
  name: 'Spring news',
  sender_id: 12,
  template_id: 7,
  audience: audienceExample,
  schedule_at: '2026-12-01T12:00:00.000Z',
  per_hour: 20_000,
};

export const draftExample = {
  id: 5,
  ...newExample,
  audience: { ...audienceExample, exclude_broadcast_ids: [] },
  state: 'draft',
  paused_by: null,
  progress: { recipients: null, handled: 0, accepted: 0, left_out: [] },
  custom_group_code: 'broadcast-7Q2mXb9vLk3w',
  created_at: '2026-11-30T09:00:00.000Z',
  updated_at: '2026-11-30T09:00:00.000Z',
  started_at: null,
  finished_at: null,
};

export const sendingExample = {
  ...draftExample,
  state: 'sending',
  progress: {
    recipients: 600_000,
    handled: 120_000,
    accepted: 119_988,
    left_out: [{ reason: 'consent_revoked', count: 12 }],
  },
  started_at: '2026-12-01T12:00:02.310Z',
};

export const pausedExample = { ...sendingExample, state: 'paused', paused_by: 'request' };

export const cancelledExample = {
  ...sendingExample,
  state: 'cancelled',
  finished_at: '2026-12-01T12:20:00.000Z',
};
