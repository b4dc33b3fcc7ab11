import type { Command } from './command.ts';

/** What can follow the words typed so far: longer ones first, since the shells match beginnings. */
function candidates(commands: Command[]): [string, string[]][] {
  const following = new Map<string, Set<string>>();
  const add = (before: string, word: string): void => {
    following.set(before, (following.get(before) ?? new Set()).add(word));
  };
  for (const { name, options } of commands) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) add(words.slice(0, index).join(' '), word);
    for (const option of [...Object.keys(options), 'json', 'help']) add(name, `--${option}`);
  }
  add('', '--help');
  add('', '--version');
  return [...following]
    .map(([before, words]): [string, string[]] => [before, [...words]])
    .sort(([a], [b]) => b.split(' ').length - a.split(' ').length || b.length - a.length);
}

/** `case` of the words typed so far; the patterns need no quotes inside. */
function cases(commands: Command[]): string {
  return candidates(commands)
    .map(([before, words]) => {
      const pattern = before === '' ? "''" : `'${before}' | '${before} '*`;
      return `    ${pattern}) candidates='${words.join(' ')}' ;;`;
    })
    .join('\n');
}

export function bashCompletion(commands: Command[]): string {
  return `_chasqui() {
  local typed= word candidates=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    typed="$typed $word"
  done
  case "\${typed# }" in
${cases(commands)}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _chasqui chasqui
`;
}

export function zshCompletion(commands: Command[]): string {
  return `#compdef chasqui
_chasqui() {
  local typed= word candidates=
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    typed="$typed $word"
  done
  case "\${typed# }" in
${cases(commands)}
  esac
  compadd -- \${=candidates} || _files
}
compdef _chasqui chasqui
`;
}

export function fishCompletion(commands: Command[]): string {
  const lines = candidates(commands).map(([before, words]) => {
    const patterns = before === '' ? "''" : `'${before}' '${before} *'`;
    return `    case ${patterns}\n      string join \\n ${words.join(' ')}`;
  });
  return `function __chasqui_candidates
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  switch "$typed"
${lines.join('\n')}
  end
end
complete -c chasqui -a '(__chasqui_candidates)'
`;
}
