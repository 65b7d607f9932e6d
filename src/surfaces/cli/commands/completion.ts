import * as v from 'valibot';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';

/** Each asks `docket __complete` what it may offer; `:file` and `:directory` are for the shell itself to offer. */
const scripts = {
  bash: `# docket completion for bash. Load it with: source <(docket completion bash)
_docket() {
  local i n=0 word value line lead='' words=()
  COMPREPLY=()
  # bash cuts --option=value at the sign, unless COMP_WORDBREAKS was changed.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((n > 0)) && [[ $word == '=' || \${COMP_WORDS[i - 1]} == '=' ]]; then words[n - 1]+=$word
    else words[n++]=$word
    fi
  done
  [[ $word == '=' ]] && word=''
  line=\${words[n - 1]}
  lead=\${line%"$word"}
  while IFS=$'\\t' read -r word _; do
    case $word in
      :file | :directory)
        # compopt does not exist in bash 3.2, and fails outside a completion.
        compopt -o filenames 2>/dev/null
        value=$line
        [[ $line == --*=* ]] && value=\${line#*=}
        i=\${line%"$value"}
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
          if [[ $word == :file ]]; then compgen -f -P "\${i#"$lead"}" -- "$value"
          else compgen -d -P "\${i#"$lead"}" -- "$value"
          fi
        ) ;;
      *) COMPREPLY+=("\${word#"$lead"}") ;;
    esac
  done < <(docket __complete $((n - 1)) "\${words[@]}" 2>/dev/null)
}
complete -F _docket docket`,

  zsh: `#compdef docket
# docket completion for zsh. Put it into a folder of $fpath as _docket, or: source <(docket completion zsh)
_docket() {
  local line about
  local -a offers
  for line in "\${(@f)$(docket __complete $((CURRENT - 2)) "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    about="\${line#*$'\\t'}"
    case "$line" in
      (:file*) [[ "$PREFIX" == --*=* ]] && compset -P '*='; _files ;;
      (:directory*) [[ "$PREFIX" == --*=* ]] && compset -P '*='; _files -/ ;;
      (?*) offers+=("\${\${line%%$'\\t'*}//:/\\\\:}\${about:+:$about}") ;;
    esac
  done
  (( \${#offers} )) && _describe -t offers docket offers
}
if [ "$funcstack[1]" = "_docket" ]; then _docket "$@"; else compdef _docket docket; fi`,

  fish: `# docket completion for fish. Save it as ~/.config/fish/completions/docket.fish
function __docket_offers
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    for line in (docket __complete (count $words) $words $typed 2>/dev/null)
        switch $line
            case ':file*'
                __fish_complete_path $typed
            case ':directory*'
                __fish_complete_directories $typed
            case '*'
                echo $line
        end
    end
end
complete -c docket -f -a '(__docket_offers)'`,

  powershell: `# docket completion for PowerShell. Load it with: docket completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docket -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  # Where it offers nothing, PowerShell itself offers files.
  docket __complete $words.Count @words $wordToComplete 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $word, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}`,
};

type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as Shell[];

export const command: Definition = {
  operand: { kind: 'oneOf', label: '<shell>', words: shells, min: 1, max: 1 },
  options: [],
  notes: ['Shells: bash, zsh, fish, powershell.'],
  examples: [
    'source <(docket completion bash)',
    'docket completion zsh > "${fpath[1]}/_docket"',
    'docket completion fish > ~/.config/fish/completions/docket.fish',
    'docket completion powershell | Out-String | Invoke-Expression',
  ],
  answer: json.one('The script for a shell.', {
    shell: v.picklist(['bash', 'zsh', 'fish', 'powershell']),
    script: json.text,
  }),
  run,
};

async function run({ args, globals, out }: Context): Promise<number> {
  const shell = args.operands[0] as Shell; // the parser let no other word pass
  const script = scripts[shell];
  if (globals.json) out.answer({ shell, script });
  else out.data(script);
  return 0;
}
