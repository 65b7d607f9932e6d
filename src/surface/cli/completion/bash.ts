import type { Command, Operand, Option } from '../command.ts';
import { globalOptions } from '../options.ts';
import { closedWords, firstWords, groups, optionsOf, quote, valueOptions } from './model.ts';

/** Needs nothing but bash 3.2: no bash-completion package, no call of docket while completing. */
export function bashScript(commands: readonly Command[]): string {
  return `# docket completion for bash. Load it with: source <(docket completion bash)
_docket_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}

_docket() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev='' cmd='' ended='' lead='' word i
  COMPREPLY=()

  # The command is the first word that is no option and no option's value.
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --) ended=1; break ;;
      ${valueOptions(commands).join(' | ')}) if [[ \${COMP_WORDS[i + 1]} == '=' ]]; then ((i += 2)); else ((i += 1)); fi ;;
      -* | =) ;;
      *)
        if [[ -z $cmd ]]; then cmd=$word; else cmd="$cmd $word"; fi
        case $cmd in ${groupPattern()}) ;; *) break ;; esac
        ;;
    esac
  done
  for ((i = 1; i < COMP_CWORD; i++)); do [[ \${COMP_WORDS[i]} == '--' ]] && ended=1; done

  if [[ -z $ended ]]; then
    # bash cuts --option=value at the sign, unless COMP_WORDBREAKS was changed.
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; lead="$prev="; cur=\${cur#*=}
    elif [[ $cur == '=' ]]; then cur=''
    elif [[ $prev == '=' ]] && ((COMP_CWORD > 1)); then prev=\${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$cmd:$prev" in
${[...globalOptions.map((option) => valueCase('*', option)), ...commands.flatMap(({ name, options }) => options.map((option) => valueCase(name, option)))].filter(Boolean).join('\n')}
    esac
    if [[ $cur == -* ]]; then
      case $cmd in
${commands.map((command) => `        ${quote(command.name)}) ${reply(optionWords(optionsOf(command)))} ;;`).join('\n')}
        *) ${reply(optionWords(globalOptions))} ;;
      esac
      return
    fi
  fi

  case $cmd in
    '') ${reply(firstWords().map(({ word }) => word))} ;;
${groups()
  .map(({ group, words }) => `    ${quote(group)}) ${reply(words.map(({ word }) => word))} ;;\n`)
  .join(
    '',
  )}${commands.flatMap(({ name, operand }) => (operand === undefined ? [] : operandCase(name, operand))).join('\n')}
  esac
}
complete -F _docket docket`;
}

function groupPattern(): string {
  const names = groups().map(({ group }) => quote(group));
  return names.length > 0 ? names.join(' | ') : "''";
}

function optionWords(options: readonly Option[]): string[] {
  return options.map(({ name }) => `--${name}`);
}

function reply(words: readonly string[]): string {
  return `_docket_reply -W ${quote(words.join(' '))} -- "$cur"`;
}

function valueCase(command: string, { name, value }: Option): string {
  if (value === undefined) return '';
  const pattern = command === '*' ? `*:--${name}` : quote(`${command}:--${name}`);
  return `      ${pattern}) ${valueReply(value)}return ;;`;
}

function valueReply(value: NonNullable<Option['value']>): string {
  const words = closedWords(value);
  if (words !== undefined) {
    const list =
      value.many === true ? `[[ $cur == *,* ]] && lead="$lead\${cur%,*}," && cur=\${cur##*,}; ` : '';
    return `${list}_docket_reply -P "$lead" -W ${quote(words.join(' '))} -- "$cur"; `;
  }
  if (value.kind !== 'file' && value.kind !== 'directory') return '';
  return `${files(value.kind)} -P "$lead" -- "$cur"; `;
}

function operandCase(command: string, operand: Operand): string[] {
  const words = closedWords(operand);
  if (words !== undefined) return [`    ${quote(command)}) ${reply(words)} ;;`];
  if (operand.kind !== 'file' && operand.kind !== 'directory') return [];
  return [`    ${quote(command)}) ${files(operand.kind)} -- "$cur" ;;`];
}

/** compopt does not exist in bash 3.2, and fails outside a completion. */
function files(kind: 'file' | 'directory'): string {
  return `compopt -o filenames 2>/dev/null; _docket_reply ${kind === 'file' ? '-f' : '-d'}`;
}
