import type { Command, Operand, Option } from '../command.ts';
import { globalOptions } from '../options.ts';
import { closedWords, firstWords, groups, optionsOf, quote, valueOptions } from './model.ts';

/** Works both from a folder of $fpath and through `source <(…)`. */
export function zshScript(commands: readonly Command[]): string {
  return `#compdef docket
# docket completion for zsh. Put it into a folder of $fpath as _docket, or: source <(docket completion zsh)
_docket() {
  local cmd='' word='' prev='' ended=''
  local -a list
  integer i

  # The command is the first word that is no option and no option's value.
  for (( i = 2; i < CURRENT; i++ )); do
    word="\${words[i]}"
    case "$word" in
      (--) ended=1; break ;;
      (${valueOptions(commands).join('|')}) (( i++ )) ;;
      (-*) ;;
      (*)
        if [[ -z "$cmd" ]]; then cmd="$word"; else cmd="$cmd $word"; fi
        case "$cmd" in (${groupPattern()}) ;; (*) break ;; esac
        ;;
    esac
  done
  [[ -n "\${words[(r)--]}" ]] && (( \${words[(i)--]} < CURRENT )) && ended=1

  if [[ -z "$ended" ]]; then
    prev="\${words[CURRENT-1]}"
    if [[ "$PREFIX" == --*=* ]]; then prev="\${PREFIX%%=*}"; compset -P '*='; fi
    case "$cmd:$prev" in
${[...globalOptions.map((option) => valueCase('*', option)), ...commands.flatMap(({ name, options }) => options.map((option) => valueCase(name, option)))].filter(Boolean).join('\n')}
    esac
    if [[ "$PREFIX" == -* ]]; then
      case "$cmd" in
${commands.map((command) => `        (${quote(command.name)}) list=(${described(optionsOf(command))}) ;;`).join('\n')}
        (*) list=(${described(globalOptions)}) ;;
      esac
      _describe -o option list
      return
    fi
  fi

  case "$cmd" in
    ('') list=(${pairs(firstWords())}); _describe -t commands command list ;;
${groups()
  .map(
    ({ group, words }) =>
      `    (${quote(group)}) list=(${pairs(words)}); _describe -t commands command list ;;\n`,
  )
  .join(
    '',
  )}${commands.flatMap(({ name, operand }) => (operand === undefined ? [] : operandCase(name, operand))).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_docket" ]; then _docket "$@"; else compdef _docket docket; fi`;
}

function groupPattern(): string {
  const names = groups().map(({ group }) => quote(group));
  return names.length > 0 ? names.join('|') : "''";
}

function described(options: readonly Option[]): string {
  return pairs(options.map(({ name, summary }) => ({ word: `--${name}`, summary })));
}

function pairs(words: readonly { word: string; summary: string }[]): string {
  return words.map(({ word, summary }) => quote(`${word}:${summary}`)).join(' ');
}

function valueCase(command: string, { name, value }: Option): string {
  if (value === undefined) return '';
  const pattern = command === '*' ? `*:--${name}` : quote(`${command}:--${name}`);
  const comma = value.many === true ? "compset -P '*,'; " : '';
  return `      (${pattern}) ${comma}${offer(value)}return ;;`;
}

function operandCase(command: string, operand: Operand): string[] {
  const what = offer(operand);
  return what === '' ? [] : [`    (${quote(command)}) ${what};;`];
}

function offer(rule: Operand | NonNullable<Option['value']>): string {
  const words = closedWords(rule);
  if (words !== undefined) return `compadd -- ${words.join(' ')}; `;
  if (rule.kind === 'file') return '_files; ';
  return rule.kind === 'directory' ? '_files -/; ' : '';
}
