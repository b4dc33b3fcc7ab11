export const messages = {
  '1': 'Received',
  '2': 'Queued',
  '3': 'Delivered',
  '4': 'Dropped',
  '5': 'Deferred',
  '6': 'Bounced',
  '7': 'On hold',
  scheduled: 'Scheduled',
};
