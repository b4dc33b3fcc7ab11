import type { Command } from './command.ts';
import { apiKeyCreate, apiKeyList, apiKeyRevoke } from './commands/api-key.ts';
import { backup } from './commands/backup.ts';
import { restore } from './commands/restore.ts';
import { createCompletion } from './commands/completion.ts';
import { consentEvidence } from './commands/consent-evidence.ts';
import { consentVerify } from './commands/consent-verify.ts';
import {
  domainCreate,
  domainDelete,
  domainReinstate,
  domainRevoke,
  domainRotateDkim,
  domainSendDns,
  domainShow,
  zonefile,
} from './commands/domain.ts';
import { domainList, domainValidate } from './commands/domain-list.ts';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { logs } from './commands/logs.ts';
import { formCreate, formList, formShow } from './commands/form.ts';
import { domainDmarc } from './commands/domain-dmarc.ts';
import { inboundList, inboundShow } from './commands/inbound.ts';
import { instanceCreate, instanceList, instanceSet } from './commands/instance.ts';
import { migrateCommand } from './commands/migrate.ts';
import {
  purposeCreate,
  purposeDelete,
  purposeDisable,
  purposeEnable,
  purposeList,
} from './commands/purpose.ts';
import { queuePause, queueResume, queueRetry, queueShow } from './commands/queue.ts';
import { restrictionAdd, restrictionImport, restrictionRemove } from './commands/restriction.ts';
import { sandboxList, sandboxShow } from './commands/sandbox.ts';
import { send } from './commands/send.ts';
import { senderCreate, senderList } from './commands/sender.ts';
import { senderDelete, senderEdit } from './commands/sender-change.ts';
import {
  templateDelete,
  templateEdit,
  templatePublish,
  templateUnpublish,
} from './commands/template-change.ts';
import { complaintList, restrictionList, unsubscribeList } from './commands/suppression-list.ts';
import { serve } from './commands/serve.ts';
import { templateCreate, templateList } from './commands/template.ts';
import {
  smtpCredentialCreate,
  smtpCredentialList,
  smtpCredentialRevoke,
} from './commands/smtp-credential.ts';
import {
  rightsErasures,
  rightsExtend,
  rightsFulfil,
  rightsLift,
  rightsList,
  rightsOpen,
  rightsRefuse,
} from './commands/rights.ts';
import { termCreate, termList } from './commands/term.ts';
import {
  termActivate,
  termAddVersion,
  termDeactivate,
  termPublish,
  termSetCurrent,
} from './commands/term-change.ts';
import { sourceAdd, sourceAssign, sourceList, sourceRemove } from './commands/source.ts';
import { userCreate, userList, userOperator, userResetTwoFactor, userSetPassword } from './commands/user.ts';
import { webhookCreate, webhookDelete, webhookList, webhookTest } from './commands/webhook.ts';
import { webhookDeliveries, webhookReplay } from './commands/webhook-deliveries.ts';

/** Every command, in the order in which help lists them. */
export const commands: Command[] = [
  serve,
  migrateCommand,
  doctor,
  backup,
  restore,
  instanceCreate,
  instanceSet,
  instanceList,
  userCreate,
  userList,
  userSetPassword,
  userOperator,
  userResetTwoFactor,
  apiKeyCreate,
  apiKeyList,
  apiKeyRevoke,
  smtpCredentialCreate,
  smtpCredentialList,
  smtpCredentialRevoke,
  domainCreate,
  domainList,
  domainShow,
  domainValidate,
  domainSendDns,
  domainDmarc,
  domainRotateDkim,
  domainRevoke,
  domainReinstate,
  domainDelete,
  senderCreate,
  senderList,
  senderEdit,
  senderDelete,
  templateCreate,
  templateList,
  templateEdit,
  templatePublish,
  templateUnpublish,
  templateDelete,
  purposeCreate,
  purposeList,
  purposeDisable,
  purposeEnable,
  purposeDelete,
  termCreate,
  termList,
  termAddVersion,
  termPublish,
  termSetCurrent,
  termDeactivate,
  termActivate,
  formCreate,
  formList,
  formShow,
  consentEvidence,
  consentVerify,
  rightsOpen,
  rightsList,
  rightsExtend,
  rightsFulfil,
  rightsRefuse,
  rightsLift,
  rightsErasures,
  send,
  logs,
  explain,
  webhookCreate,
  webhookList,
  webhookDelete,
  webhookTest,
  webhookDeliveries,
  webhookReplay,
  queueShow,
  queueRetry,
  queuePause,
  queueResume,
  restrictionAdd,
  restrictionImport,
  restrictionList,
  restrictionRemove,
  unsubscribeList,
  complaintList,
  sourceAdd,
  sourceList,
  sourceRemove,
  sourceAssign,
  sandboxList,
  sandboxShow,
  inboundList,
  inboundShow,
  zonefile,
  createCompletion(() => commands),
];
