import mjml2html from 'mjml';
import { maxPartBytes } from './template-content.ts';

export interface MjmlError {
  line: number;
  tag: string;
  message: string;
}

/** Both are absent when the HTML exceeds its limit; it is measured in the worker process. */
export interface MjmlOutcome {
  html?: string;
  errors?: MjmlError[];
}

const options = {
  // The default fonts are links to a CDN, which would learn who opens the mail.
  fonts: {},
  ignoreIncludes: true,
  // Empty, so that relative paths cannot be resolved.
  filePath: '',
  validationLevel: 'strict',
} as const;

/**
 * A page takes some 3 ms, but 1 MB takes 6.5 s, some input takes quadratic time, and 3,000 carousel images become 150
 * MB, all synchronously: run it in a process that can be killed.
 */
export async function renderMjml(source: string): Promise<MjmlOutcome> {
  const include = findInclude(source);
  if (include) return { errors: [include] };
  try {
    const { html } = await mjml2html(source, options);
    return Buffer.byteLength(html) > maxPartBytes ? {} : { html };
  } catch (error) {
    return { errors: errorsOf(error as Error) };
  }
}

function errorsOf(error: Error): MjmlError[] {
  const { errors } = error as { errors?: { line: number; message: string; tagName: string }[] };
  if (errors) return errors.map(({ line, message, tagName }) => ({ line, tag: tagName, message }));
  const message =
    error instanceof RangeError ? 'The elements are too many or nested too deeply' : error.message;
  return [{ line: 1, tag: 'mjml', message }];
}

/** Files are never read; without an error the content would be missing silently. */
function findInclude(source: string): MjmlError | undefined {
  const shown = source.replaceAll(/<!--(?:[\s\S]*?-->|[\s\S]*$)/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
  const at = shown.search(/<mj-include\b/i);
  if (at === -1) return undefined;
  const line = shown.slice(0, at).split('\n').length;
  const message = 'There is nothing to include: put the content into the template itself';
  return { line, tag: 'mj-include', message };
}
