import { counted } from './counting.ts';
export const messages = {
  title: 'Mails',
  about: 'One row per recipient, newest first.',
  recipient: 'Recipient',
  recipient_hint: 'Address or its start',
  subject: 'Subject',
  subject_hint: 'Part of the subject',
  sender: 'Sender',
  category: 'Category',
  status: 'Status',
  opens: 'Opens',
  clicks: 'Clicks',
  received: 'Received',
  range: 'Range',
  opened: 'Opened',
  opened_options: { opened: 'Opened', unopened: 'Delivered, not opened' },
  msg_id: 'Message id',
  mail_id: 'Mail id',
  custom_msg_id: 'Your id',
  custom_group_code: 'Your group',
  tags: 'Tags',
  live: 'Live',
  live_states: {
    off: 'Live tail is off',
    connecting: 'Connecting…',
    live: 'New mails appear by themselves',
  },
  empty: 'No mail yet',
  empty_about:
    'Every mail you send shows here with all that happened to it. Send one to the sandbox: it takes the whole way but never leaves this server.',
  bulk_retry: 'Retry now',
  bulk_retry_about: (count: number) =>
    `The next attempt of ${counted(count, 'mail', 'mails')} that wait is due now, whatever the schedule says.`,
  bulk_cancel: 'Cancel',
  bulk_cancel_about: (count: number) =>
    `What was not attempted yet of ${counted(count, 'message', 'messages')} is dropped and never sent, to all of their recipients.`,
  bulk_restrict: 'Restrict recipients',
  bulk_restrict_about: (count: number) =>
    `No mail of this instance is sent to ${counted(count, 'address', 'addresses')} any more, until each restriction is lifted.`,
};
