import { createSender } from '../../domains/change-sender.ts';
import { NewSender } from '../../domains/sender-schemas.ts';
import { listSenders } from '../../domains/senders.ts';
import { instance, onOrOff, optional, required, type Command } from '../command.ts';
import { listCommand } from './list-command.ts';
import { purposeId } from './purpose.ts';
import { requireValid } from './require-valid.ts';
import { changeInstance, operator } from './with-store.ts';

export const senderCreate: Command = {
  name: 'sender create',
  arguments:
    '--instance S --email E --name N [--stream transactional|broadcast] [--requires-consent --purpose CODE] [--track-opens on|off] [--track-clicks on|off]',
  summary: 'Makes a sender on a verified domain of the instance.',
  options: {
    instance,
    email: { type: 'string', about: 'Its address.' },
    name: { type: 'string', about: 'The name that recipients see.' },
    stream: { type: 'string', about: 'transactional (default) or broadcast.' },
    'requires-consent': { type: 'boolean', about: 'Send only to those whose consent is on record.' },
    purpose: { type: 'string', about: 'Code of the purpose that consent must be for.' },
    'track-opens': { type: 'string', about: 'on (default) or off.' },
    'track-clicks': { type: 'string', about: 'on (default) or off.' },
  },
  example: 'chasqui sender create --instance acme --email news@mail.acme.cl --name Acme --stream broadcast',
  async run(input) {
    const sender = await changeInstance(input, async (tx, { id }) => {
      const purpose = optional(input, 'purpose');
      const wanted = {
        name: required(input, 'name'),
        email_address: required(input, 'email'),
        stream: (optional(input, 'stream') ?? 'transactional') as 'transactional' | 'broadcast',
        requires_consent: input.options['requires-consent'] === true,
        consent_purpose_id: purpose === undefined ? null : await purposeId(tx, id, purpose),
        track_opens: onOrOff(input, 'track-opens') ?? true,
        track_clicks: onOrOff(input, 'track-clicks') ?? true,
      };
      requireValid(NewSender, wanted);
      return await createSender(tx, id, { sender: wanted, actor: operator });
    });
    return { text: `${sender.email_address} (id ${sender.id}) can send.`, json: sender };
  },
};

export const senderList = listCommand('sender', {
  summary: 'Lists the senders of an instance.',
  what: 'senders',
  list: listSenders,
  columns: {
    id: (sender) => sender.id,
    address: ({ email_address }) => email_address,
    stream: ({ stream }) => stream,
    consent: ({ requires_consent }) => (requires_consent ? 'required' : ''),
    name: ({ name }) => name,
  },
});
