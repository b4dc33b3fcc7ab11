import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { distinctViolations } from '../base/http/request-call.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import { compileValidator, type Validate } from '../base/http/validation.ts';
import type { Draft } from './draft.ts';
import { readSend, validateSend, type Sent } from './read-send.ts';
import { SendMail } from './send-schema.ts';

type Caller = Omit<Sent, 'body' | 'files'>;

/** Others have their turn while a batch is read. */
const longestTurnMs = 5;
/** All mails together: what a program can act on, and what is stored with the answer. Each refused mail has one at least. */
const maxViolations = 1_000;

/** The mails of a batch in their order; a problem where one breaks rules. `is_text_safe`: `findUnsafeText` has looked at them. */
export async function readBatch(
  mails: unknown[],
  caller: Caller,
  { is_text_safe = false } = {},
): Promise<(Draft | Problem)[]> {
  const read: (Draft | Problem)[] = [];
  let left = maxViolations;
  let began = performance.now();
  for (const mail of mails) {
    if (performance.now() - began > longestTurnMs) {
      await nextTurn();
      began = performance.now();
    }
    const violations = violationsOf(mail, caller, is_text_safe);
    if (violations.length > 0) {
      read.push(validationProblem(violations.slice(0, Math.max(left, 1))));
      left -= violations.length;
    } else read.push(readOne(mail as SendMail, caller));
  }
  return read;
}

let validate: Validate | undefined;

function violationsOf(mail: unknown, caller: Caller, is_text_safe: boolean): Violation[] {
  validate ??= compileValidator(SendMail);
  const violations = is_text_safe ? validate(mail) : [...findUnsafeText(mail), ...validate(mail)];
  return violations.length === 0
    ? []
    : distinctViolations([...violations, ...validateSend(mail, [], caller)]);
}

function readOne(body: SendMail, caller: Caller): Draft | Problem {
  try {
    return readSend({ ...caller, body, files: [] });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
