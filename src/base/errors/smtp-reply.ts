import { errorCatalogue } from './catalogue.ts';
import { problemTypes } from './problem-types.ts';
import type { Problem } from './problem.ts';

export interface SmtpReply {
  code: number;
  enhanced: string;
  text: string;
}

/** What a refusal is called in an SMTP session. The code of the catalogue stands in the text (contract §12). */
export function smtpReplyFor(problem: Problem): SmtpReply {
  const { status } = problemTypes[errorCatalogue[problem.code].type];
  // A conflict that is over in a moment.
  const shown = status === 409 && problem.facts.retry_after_seconds !== undefined ? 503 : status;
  const details = problem.facts.errors?.map(({ message }) => message).join('; ') ?? problem.message;
  return { ...replyCodes(shown), text: `${problem.code}: ${details}` };
}

function replyCodes(status: number): { code: number; enhanced: string } {
  switch (status) {
    case 401:
      return { code: 535, enhanced: '5.7.8' };
    case 400:
    case 422:
      return { code: 554, enhanced: '5.6.0' };
    case 413:
      return { code: 552, enhanced: '5.3.4' };
    case 429:
      return { code: 451, enhanced: '4.7.1' };
    case 500:
    case 503:
      return { code: 451, enhanced: '4.3.0' };
    default:
      return { code: 550, enhanced: '5.7.1' };
  }
}
