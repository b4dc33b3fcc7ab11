import { deleteSender, updateSender } from '../../domains/change-sender.ts';
import { SenderChanges } from '../../domains/sender-schemas.ts';
import { idOf, instance, onOrOff, optional, type Command } from '../command.ts';
import { requireValid } from './require-valid.ts';
import { changeInstance, operator } from './with-store.ts';

export const senderEdit: Command = {
  name: 'sender edit',
  arguments:
    '--instance S ID [--name N] [--stream transactional|broadcast] [--track-opens on|off] [--track-clicks on|off]',
  summary: 'Changes a sender; its address stays, since past mail is reported under it.',
  options: {
    instance,
    name: { type: 'string', about: 'The name that recipients see.' },
    stream: { type: 'string', about: 'transactional or broadcast.' },
    'track-opens': { type: 'string', about: 'on or off: a pixel in its HTML.' },
    'track-clicks': { type: 'string', about: 'on or off: links through the platform.' },
  },
  example: 'chasqui sender edit --instance acme 5 --name "Acme News"',
  async run(input) {
    const given = {
      name: optional(input, 'name'),
      stream: optional(input, 'stream'),
      track_opens: onOrOff(input, 'track-opens'),
      track_clicks: onOrOff(input, 'track-clicks'),
    };
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0) throw new Error('Give at least one thing to change.');
    requireValid(SenderChanges, changes);
    const change = { id: idOf(input), changes: changes as SenderChanges, actor: operator };
    const sender = await changeInstance(
      input,
      async (tx, { id: instanceId }) => await updateSender(tx, instanceId, change),
    );
    return { text: `${sender.email_address} is changed.`, json: sender };
  },
};

export const senderDelete: Command = {
  name: 'sender delete',
  arguments: '--instance S ID',
  summary: 'Deletes a sender; mail already accepted is still delivered.',
  options: { instance },
  example: 'chasqui sender delete --instance acme 5',
  async run(input) {
    const id = idOf(input);
    await changeInstance(
      input,
      async (tx, { id: instanceId }) => await deleteSender(tx, instanceId, { id, actor: operator }),
    );
    return { text: `Sender ${id} is deleted.`, json: { id } };
  },
};
