export const messages = {
  title: 'Term',
  missing: 'There is no such term',
  missing_help: 'It may belong to another instance, or the address is mistyped.',
  about: 'About',
  id: 'Identifier, for the API',
  copy_id: 'Copy identifier',
  type: 'Legal nature',
  purposes: 'Purposes',
  channels: 'Channels',
  created: 'Created',
  changed: 'Changed',
  edit: 'Edit',
  edit_term: 'Edit term',
  name: 'Name',
  purposes_fixed: 'Its purposes are part of what people agreed to and stay as they are.',
  channels_help: 'Holds for new consents. Each one on record names its own channels.',
  saved: 'The term is saved.',
  activate: 'Activate',
  activated: 'The term receives consents again.',
  deactivate: 'Deactivate',
  deactivated: 'The term receives no new consents.',
  deactivate_about: 'Nobody can agree to it any more. It can be activated again.',
  inactive_notice: 'This term is inactive',
  inactive_about: 'It receives no new consents. Those on record stand, and can be withdrawn.',
  // Dependents
  depends: 'What depends on it',
  forms: 'Forms that ask for it',
  senders: 'Senders that need its purposes',
  waiting: 'Waiting for confirmation',
  events: 'Events on record',
  over: (count: string) => `more than ${count}`,
  closing: (count: string) => `${count} would close`,
  stranded: (count: string) => `${count} with no other term`,
  say_forms: (count: number, text: string, closing: string) =>
    count === 1
      ? `1 form asks for it. Forms that require it and close: ${closing}.`
      : `${text} forms ask for it. Forms that require it and close: ${closing}.`,
  say_senders: (count: number, text: string, stranded: string) =>
    count === 1
      ? `1 sender writes only to those who agreed to its purposes. Senders left without a term to agree to: ${stranded}.`
      : `${text} senders write only to those who agreed to its purposes. Senders left without a term to agree to: ${stranded}.`,
  say_waiting: (count: number, text: string) =>
    count === 1
      ? '1 consent waits for its confirmation and can still be confirmed.'
      : `${text} consents wait for their confirmation and can still be confirmed.`,
  say_events: (count: number, text: string) =>
    count === 1 ? '1 event on record stands.' : `${text} events on record stand.`,
  // Versions
  versions: 'Versions',
  version: 'Version',
  version_of: (label: string) => `Version ${label}`,
  state: 'State',
  published: 'Published',
  draft: 'Draft',
  current: 'Current',
  add_version: 'New version',
  edit_version: 'Edit draft',
  label: 'Label',
  label_help: 'Such as 1.0 or 2026-11. Unique within the term.',
  text: 'Text',
  text_help: 'What people read and agree to. Once published it never changes.',
  document_url: 'Address of the whole document',
  document_help: 'Optional: where it can be read in full, such as a PDF.',
  create_draft: 'Save as draft',
  draft_saved: 'The draft is saved.',
  no_versions: 'No text yet',
  no_versions_about:
    'Write what people will read. It stays a draft until an admin publishes it; then mark it current, so that new consents go to it.',
  compare: 'Compare with',
  no_compare: 'Show the text alone',
  publish: 'Publish',
  publish_title: (label: string) => `Publish version ${label}`,
  publish_about:
    'Its words are final from then on: no one can change or delete them. It is not current by that; new consents go to it once you mark it current.',
  was_published: 'The version is published.',
  make_current: 'Mark current',
  current_title: (label: string) => `Mark version ${label} current`,
  current_about: (forms: string) =>
    `New consents go to this text from now on. Active forms that show it: ${forms}.`,
  current_keeps: (events: string) => `Events on record keep the version they were given to: ${events}.`,
  was_made_current: 'The version is current.',
  delete: 'Delete draft',
  delete_about: (label: string) => `The draft ${label} goes. Nobody has agreed to it.`,
  was_deleted: 'The draft is deleted.',
};
