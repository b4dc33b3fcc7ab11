import { counted } from './counting.ts';
export const messages = {
  title: 'Mails',
  about: 'One row per recipient, newest first.',
  recipient: 'Recipient',
  recipient_hint: 'Address, or its beginning',
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
    live: 'New mails appear automatically',
  },
  empty: 'No mail yet',
  empty_about:
    'Every mail that you send is listed here, with everything that happened to it. Send one to the sandbox: it is processed like any other but never leaves this server.',
  bulk_retry: 'Retry now',
  bulk_retry_about: (count: number) =>
    `Attempts ${counted(count, 'waiting mail', 'waiting mails')} now instead of at the planned time.`,
  bulk_cancel: 'Cancel',
  bulk_cancel_about: (count: number) =>
    `Mails of ${counted(count, 'message', 'messages')} that were not attempted yet are dropped for all recipients, and never sent.`,
  bulk_restrict: 'Restrict recipients',
  bulk_restrict_about: (count: number) =>
    `This instance sends no more mail to ${counted(count, 'address', 'addresses')} until you lift the restriction.`,
};
