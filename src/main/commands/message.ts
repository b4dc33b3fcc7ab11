import { cancelGroup } from '../../activity/cancel-group.ts';
import { cancelMessage, type MessageChange, rescheduleMessage } from '../../activity/change-message.ts';
import { requireMessageId } from '../../activity/mail-id.ts';
import type { Message } from '../../activity/message-schemas.ts';
import { getMessage } from '../../activity/messages.ts';
import { systemClock } from '../../base/clock.ts';
import { instance, optional, required, type Command, type CommandInput } from '../command.ts';
import { changeInstance, operator, withInstance } from './with-store.ts';

const message = { type: 'string', about: 'The `message_id` of a send.' } as const;

function describe({ message_id, subject, received_at, schedule_at, statuses, untried }: Message): string {
  const counts = Object.entries(statuses).filter(([, mails]) => mails > 0);
  return [
    `${message_id}  ${subject}`,
    `accepted ${received_at.toISOString()}${schedule_at === null ? '' : `, scheduled for ${schedule_at.toISOString()}`}`,
    `${counts.map(([status, mails]) => `${mails} ${status}`).join(', ')}; ${untried} can be cancelled`,
  ].join('\n');
}

function changeOf(input: CommandInput, retention_months: number): MessageChange {
  const now = systemClock.now();
  const message_id = requireMessageId(required(input, 'message'), now, retention_months);
  return { message_id, actor: operator, now, sandbox_only: false };
}

export const messageShow: Command = {
  name: 'message show',
  arguments: '--instance S --message ID',
  summary: 'Shows when a message is to be sent, and the status of its mails.',
  options: { instance, message },
  example: 'chasqui message show --instance acme --message 019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  async run(input) {
    return await withInstance(input, async (db, { id, retention_months }) => {
      const shown = await getMessage(db, id, changeOf(input, retention_months).message_id);
      return { text: describe(shown), json: shown };
    });
  },
};

export const messageSchedule: Command = {
  name: 'message schedule',
  arguments: '--instance S --message ID --at TIME',
  summary: 'Sends the mails of a message that were not attempted yet at another time.',
  options: {
    instance,
    message,
    at: {
      type: 'string',
      about: 'When, such as 2026-12-01T09:00:00-03:00. A time that has passed means now.',
    },
  },
  example:
    'chasqui message schedule --instance acme --message 019a84f2-7c00-7000-8000-2f6d1c3b5a79 --at 2026-12-01T09:00:00-03:00',
  async run(input) {
    const schedule_at = required(input, 'at');
    const moved = await changeInstance(input, async (tx, { id, retention_months }) => {
      const change = { ...changeOf(input, retention_months), retention_months, schedule_at };
      return await rescheduleMessage(tx, id, change);
    });
    return { text: `${moved.rescheduled} mails moved.\n${describe(moved)}`, json: moved };
  },
};

export const messageCancel: Command = {
  name: 'message cancel',
  arguments: '--instance S [--message ID] [--group CODE]',
  summary: 'Cancels the mails of a message, or of a group, that were not attempted yet.',
  options: {
    instance,
    message,
    group: { type: 'string', about: 'The custom_group_code of the mails, in place of a message.' },
  },
  example: 'chasqui message cancel --instance acme --group spring-sale',
  async run(input) {
    const group = optional(input, 'group');
    if (group !== undefined) return await cancelAll(input, group);
    const cancelled = await changeInstance(
      input,
      async (tx, { id, retention_months }) => await cancelMessage(tx, id, changeOf(input, retention_months)),
    );
    return { text: `${cancelled.cancelled} mails are cancelled.\n${describe(cancelled)}`, json: cancelled };
  },
};

async function cancelAll(input: CommandInput, custom_group_code: string) {
  return await withInstance(input, async (db, { id }) => {
    let cancelled = 0;
    for (;;) {
      const group = { custom_group_code, actor: operator, now: systemClock.now(), sandbox_only: false };
      const found = await cancelGroup(db, id, group);
      cancelled += found.cancelled;
      if (!found.has_more) return { text: `${cancelled} mails were cancelled.`, json: { cancelled } };
    }
  });
}
