import { parentPort } from 'node:worker_threads';
import mjml2html from 'mjml';
import type { MjmlError, MjmlOutcome } from './render-mjml.ts';

/** The thread in which MJML becomes HTML: one source in, one outcome out. */

const options = {
  // The default fonts are links to a font CDN, which would tell it who opens the mail.
  fonts: {},
  ignoreIncludes: true,
  // Empty: relative paths have no folder to start from.
  filePath: '',
  validationLevel: 'strict',
} as const;

async function render(source: string): Promise<MjmlOutcome> {
  try {
    const { html } = await mjml2html(source, options);
    return { html };
  } catch (error) {
    return { errors: errorsOf(error as Error) };
  }
}

function errorsOf(error: Error): MjmlError[] {
  const { errors } = error as { errors?: { line: number; message: string; tagName: string }[] };
  if (errors) return errors.map(({ line, message, tagName }) => ({ line, tag: tagName, message }));
  const message = error instanceof RangeError ? 'The elements are nested too deeply' : error.message;
  return [{ line: 1, tag: 'mjml', message }];
}

parentPort?.on('message', (source: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  void render(source).then((outcome) => parentPort?.postMessage(outcome));
});
