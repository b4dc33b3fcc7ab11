import { readConfig } from '../../base/config.ts';
import { domainConnectTemplate } from '../../domains/domain-connect/template.ts';
import type { Command } from '../command.ts';

export const connectTemplate: Command = {
  name: 'domain connect-template',
  arguments: '',
  summary: 'Prints the Domain Connect template of this installation, to be sent to DNS providers.',
  options: {},
  example: 'chasqui domain connect-template > mail.acme.cl.sending.json',
  async run({ env }) {
    const template = domainConnectTemplate(readConfig(env));
    return await Promise.resolve({ text: JSON.stringify(template, null, 2), json: template });
  },
};
