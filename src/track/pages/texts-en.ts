import type { PageTexts } from './texts.ts';

export const english: PageTexts = {
  delivered_for: (instance) => `Mail delivered with Chasqui for ${instance}.`,
  try_again: 'Try again',
  your_data: 'Your data: see, correct or erase it',
  optional: 'Optional',
  unsubscribe: {
    title: 'Unsubscribe',
    question: (address, instance) =>
      `Do you want ${instance} to stop sending newsletters and promotions to ${address}?`,
    other_mail: 'Messages about your orders, your account and the like may still reach you.',
    reason: 'Why are you leaving?',
    button: 'Unsubscribe',
    done_title: 'You are unsubscribed',
    done: (address, instance) =>
      `${address} will not get newsletters and promotions from ${instance} any more.`,
    question_of: (purpose, address, instance) =>
      `Do you want ${instance} to stop sending “${purpose}” to ${address}?`,
    done_of: (purpose, address, instance) =>
      `${address} will not get “${purpose}” from ${instance} any more.`,
    others: 'You also agreed to these. Tick what should end too:',
    or_all: 'Or should everything end?',
    all: (instance) => `All newsletters and promotions of ${instance}`,
    others_after: 'You still agree to these. Tick what should end too:',
    button_others: 'End what is ticked',
    resubscribed_to: (purpose, address, instance) => `${address} gets “${purpose}” from ${instance} again.`,
    update: 'To change what we know about you:',
    mistake: 'Was it a mistake? You can come back.',
    resubscribe: 'Subscribe again',
    resubscribed_title: 'Welcome back',
    resubscribed: (address, instance) => `${address} is subscribed to the mail of ${instance} again.`,
    unclear: 'We did not understand what to do. Please use the button below.',
  },
  report: {
    title: 'Report this message',
    explanation:
      'Tell us if this message should not have been sent. Your report is recorded, and this sender will not write to you at this address again.',
    what: 'What is wrong with this message?',
    types: {
      spam: 'I did not ask for it (spam)',
      phishing_or_malware: 'It wants my passwords or data, or carries a virus',
      fraud: 'It is a scam or pretends to come from another person or company',
      adult_content: 'Adult content',
      violent_or_illegal: 'Violent or illegal content',
      intellectual_property: 'It uses a brand or a work without permission',
      other: 'Something else',
    },
    missing: 'Please choose what is wrong with the message.',
    comment: 'Would you tell us more?',
    comment_hint: 'Optional. Please leave out passwords and other private data.',
    button: 'Send report',
    done_title: 'Thank you for your report',
    done: (instance) => `We have taken note of it. ${instance} will not write to you at this address again.`,
  },
  view: {
    to: (address) => `To ${address}`,
    frame: 'The message',
    no_subject: '(no subject)',
    gone: {
      title: 'This message is no longer here',
      text: 'Messages are kept for three months. You may still find this one in your mailbox.',
    },
    disabled: {
      title: 'This message is not shown here',
      text: 'The account that sent it is disabled. You may still find it in your mailbox; check where its links lead.',
    },
    taken_down: {
      title: 'This message is not shown here',
      text: 'It leads to a site that was used for abuse, such as asking for passwords or card numbers. Do not follow its links.',
    },
  },
  link: {
    leads_to: 'It leads to',
    disabled_title: 'Check this link before you continue',
    disabled:
      'The account that sent this link is disabled. Continue only if you expected the message and know this site.',
    go_on: (host) => `Continue to ${host}`,
    taken_down_title: 'This link was taken down',
    taken_down:
      'The site that it leads to was used for abuse, such as asking for passwords or card numbers. If you entered something there, change your password and tell your bank.',
  },
  not_found: {
    title: 'This link does not work',
    text: 'It is not complete, or it is not one of ours. Open the message again and follow the link from there.',
  },
  expired: {
    title: 'This link is too old',
    text: 'The message it came with is more than three months old and no longer here. Please use the link of a newer message.',
  },
  unavailable: {
    title: 'Please try again in a moment',
    text: 'We could not reach our records just now, and nothing was changed.',
  },
  too_large: {
    title: 'That was too long',
    text: 'Please go back and write less. Nothing was changed.',
  },
  refused: {
    title: 'We could not read that',
    text: 'Please go back and use the form of the page. Nothing was changed.',
  },
  broken: {
    title: 'Something went wrong',
    text: 'It is our fault and we have been told. Please try again later.',
  },
};
