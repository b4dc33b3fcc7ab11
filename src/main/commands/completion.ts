import type { Command } from '../command.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The list is asked for when it is needed: this command is in it. */
export const createCompletion = (commands: () => Promise<Command[]>): Command => ({
  name: 'completion',
  arguments: 'bash|zsh|fish',
  summary: 'Prints a script that completes commands and options in your shell.',
  options: {},
  example: 'source <(chasqui completion bash)',
  async run({ words: [shell = ''] }) {
    if (!Object.hasOwn(shells, shell)) throw new Error(`Give one of ${Object.keys(shells).join(', ')}.`);
    const script = shells[shell as keyof typeof shells](await commands());
    return { text: script.trimEnd(), json: { script } };
  },
});
