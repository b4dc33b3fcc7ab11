import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

/** Mail that arrived, and mail that waits. */
export const statesEn = {
  delivered: {
    title: 'Delivered',
    text: ({ host, sent_at }) =>
      `${host} accepted the mail on ${sent_at}. What happens behind that server, such as sorting it into the spam folder, is not reported.`,
    advice: ({ tracks_opens }) => [
      'If the recipient cannot find it, ask them to check the spam folder and to search for the sender.',
      'If it is not there, send the server’s reply below to the administrators of the recipient’s mail server: it helps them find the mail.',
      ...(tracks_opens
        ? []
        : [
            'Opens are not tracked for this sender, so the mail may have been read although no open is recorded.',
          ]),
    ],
  },
  sandbox_captured: {
    title: 'Captured in the sandbox',
    text: ({ recipient }) =>
      `${recipient} is a sandbox recipient: the mail was captured for you to look at and never left the platform.`,
    advice: ['Read it in the sandbox inbox, or with `chasqui sandbox show`.'],
  },
  opened: {
    title: 'Delivered and opened',
    text: ({ host, sent_at, opens }) => `${host} accepted the mail on ${sent_at}. Opens: ${opens}.`,
    advice: [],
  },
  clicked: {
    title: 'Delivered and clicked',
    text: ({ host, sent_at, opens, clicks }) =>
      `${host} accepted the mail on ${sent_at}. Clicks: ${clicks}. Opens: ${opens}.`,
    advice: [],
  },
  unsubscribed: {
    title: 'Delivered; the recipient unsubscribed',
    text: ({ recipient }) =>
      `The mail arrived, and ${recipient} used it to unsubscribe. Broadcast mail to them is dropped from now on.`,
    advice: ['Respect it. Only the recipient can subscribe again, with the link of a mail they have.'],
  },
  complained: {
    title: 'Delivered; the recipient complained about it',
    text: ({ recipient, complaint }) =>
      `The mail arrived, and ${recipient} reported it (${complaint}). The address is restricted: no further mail is sent to it.`,
    advice: [
      'Find out why they did not want it: complaints lower the reputation of your domain.',
      'Write only to people who asked for it, and make unsubscribing easy to find.',
    ],
  },
  scheduled: {
    title: 'it is scheduled for later',
    text: ({ next }) => `The mail is to be sent on ${next ?? ''}. It waits for that time.`,
    advice: [
      'You do not need to do anything. To send it at another time, reschedule its message in the panel or with PATCH /v1/messages/{message_id}.',
      'If you no longer want it, cancel it there before that time.',
    ],
  },
  in_queue: {
    title: 'it is in the queue',
    text: 'The mail is accepted and stored, and its turn is about to come. Nothing is wrong with it.',
    advice: ['Look again in a minute.'],
  },
  in_delivery: {
    title: 'it is being delivered now',
    text: ({ destination }) => `An attempt at ${destination} is under way at this moment.`,
    advice: ['Look again in a minute: a slow server can take several.'],
  },
  destination_paused: {
    title: 'its destination is paused',
    text: ({ destination, paused_at }) =>
      `Delivery of your mail to ${destination} was paused on ${paused_at}. It goes on when the pause ends; the five days run on meanwhile.`,
    advice: ({ destination }) => [
      `Resume ${destination} in the panel’s queue, or with \`chasqui queue resume --destination ${destination}\`.`,
    ],
  },
  paced: {
    title: 'its destination asked for less mail at a time',
    text: ({ destination, taken_last_hour }) =>
      `The servers of ${destination} asked us to slow down, so the mail waits for its turn. They accepted ${taken_last_hour} of your mails in the last hour.`,
    advice: ({ next }) => [
      next === null
        ? 'You do not need to do anything.'
        : `You do not need to do anything; the next attempt is on ${next}.`,
      'Spread large sends over more time.',
    ],
  },
  warming_up: {
    title: 'the sending address is new and has sent enough for today',
    text: ({ warm_up_cap }) =>
      warm_up_cap === null
        ? 'A new source address may send only a limited number of mails a day to one provider. Today’s are used up.'
        : `A new source address may send only a limited number of mails a day to one provider, at present ${warm_up_cap}. Today’s are used up.`,
    advice: [
      'You do not need to do anything: the cap doubles every day.',
      'If it cannot wait, ask the operator for a source address that is past its warm-up.',
    ],
  },
  no_source_address: {
    title: 'no node has an address to send it from',
    text: 'None of the addresses that your instance sends from is on a running node, or none is of the kind (IPv4 or IPv6) that the destination needs.',
    advice: ['Ask the operator to check `chasqui source list` against the addresses of the nodes.'],
  },
  base_url_not_public: {
    title: 'recipients could not open its links',
    text: 'The platform does not have a public address yet, so recipients could not unsubscribe or open the links that it adds to mail. The mail waits until it has one.',
    advice: ['Ask the operator to set `CHASQUI_BASE_URL`.'],
  },
  no_delivery_node: {
    title: 'no delivery process is running',
    text: 'No process with the role `delivery` is running. Mail is accepted and kept meanwhile.',
    advice: ['Ask the operator to start one: `chasqui serve --roles delivery`.'],
  },
  platform_busy: {
    title: 'the platform was busy at that moment',
    text: 'A node was being stopped, or its memory, its database or its template processes were busy. This was not counted as an attempt.',
    advice: ['You do not need to do anything: it is taken up again within seconds.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;
