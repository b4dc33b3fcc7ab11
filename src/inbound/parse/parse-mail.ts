import { authenticateMail, type HandedOver } from '../authentication/authenticate-mail.ts';
import type { LookUp } from '../authentication/mailauth-resolver.ts';
import type { Authentication } from '../../received/index.ts';
import { readMail, type ReadMail } from './read-mail.ts';

export interface ParseTask extends HandedOver {
  raw: Buffer;
  recipient: string;
}

export type Parsed = ReadMail & { authentication: Authentication };

/** Reads a mail, and asks DNS who may have sent it. */
export async function parseMail(task: ParseTask, resolver: LookUp): Promise<Parsed> {
  return { ...readMail(task.raw, task), authentication: await authenticateMail(task.raw, task, resolver) };
}
