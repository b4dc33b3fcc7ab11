import { validationProblem } from '../base/errors/problem.ts';
import { dataFor, TemplateFailure, type MessageVariables } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';
import { templatePointer } from './draft-variables.ts';

interface Rendering {
  draft: Draft;
  /** A template. */
  subject: string;
  variables: MessageVariables;
}

/** One subject per recipient. The content is rendered at delivery. */
export async function renderSubjects(
  { renderer }: Pick<AcceptContext, 'renderer'>,
  { draft, subject, variables }: Rendering,
): Promise<string[]> {
  const { instance_id, recipients } = draft;
  const template = { subject, html: null, text: null };
  const subjects: string[] = [];
  for (const { address: email, name } of recipients) {
    const rendering = renderer.render(instance_id, template, dataFor({ email, name }, variables));
    const rendered = await rendering.catch((error: unknown) =>
      throwTemplateProblem(error, { email, pointer: templatePointer(draft) }),
    );
    subjects.push(rendered.subject ?? '');
  }
  return subjects;
}

/** A template that could be saved can still fail for one recipient. Nothing is stored then. */
function throwTemplateProblem(error: unknown, { email, pointer }: { email: string; pointer: string }): never {
  if (!(error instanceof TemplateFailure)) throw error;
  const message = `The subject of the template cannot be made for ${email}: ${error.message}`;
  throw validationProblem([{ pointer, code: 'value_error.liquid', message }]);
}
