import type { Command, Option } from '../command.ts';
import { globalOptions } from '../options.ts';
import { closedWords, firstWords, groups, optionsOf, valueOptions } from './model.ts';

/** Where it offers nothing, PowerShell itself offers files. */
export function powershellScript(commands: readonly Command[]): string {
  return `# docket completion for PowerShell. Load it with: docket completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docket -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $takesValue = ${array(valueOptions(commands))}
  $groups = ${array(groups().map(({ group }) => group))}
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })

  # The command is the first word that is no option and no option's value.
  $command = ''
  for ($i = 0; $i -lt $words.Count; $i++) {
    if ($takesValue -contains $words[$i]) { $i++; continue }
    if ($words[$i] -like '-*') { continue }
    $command = "$command $($words[$i])".Trim()
    if ($groups -notcontains $command) { break }
  }
  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }

  $values = @{
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueEntry(name, option))).join('\n')}
  }
  $operands = @{
    '' = ${table(firstWords())}
${groups()
  .map(({ group, words }) => `    ${quote(group)} = ${table(words)}\n`)
  .join(
    '',
  )}${commands.flatMap(({ name, operand }) => entry(name, operand && closedWords(operand))).join('\n')}
  }
  $options = @{
    '' = ${optionTable(globalOptions)}
${commands.map((command) => `    ${quote(command.name)} = ${optionTable(optionsOf(command))}`).join('\n')}
  }

  if ($takesValue -contains $previous) { $offered = $values["$command $previous"] }
  elseif ($wordToComplete -like '-*') {
    $offered = if ($options.ContainsKey($command)) { $options[$command] } else { $options[''] }
  }
  else { $offered = $operands[$command] }

  if ($null -eq $offered) { return }
  $offered.GetEnumerator() | Where-Object { $_.Key -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
  }
}`;
}

function valueEntry(command: string, { name, value }: Option): string[] {
  return entry(`${command} --${name}`, value && closedWords(value));
}

function entry(key: string, words: readonly string[] | undefined): string[] {
  if (words === undefined) return [];
  return [`    ${quote(key)} = ${table(words.map((word) => ({ word, summary: word })))}`];
}

function optionTable(options: readonly Option[]): string {
  return table(options.map(({ name, summary }) => ({ word: `--${name}`, summary })));
}

function table(words: readonly { word: string; summary: string }[]): string {
  return `[ordered]@{ ${words.map(({ word, summary }) => `${quote(word)} = ${quote(summary)}`).join('; ')} }`;
}

function array(words: readonly string[]): string {
  return `@(${words.map(quote).join(', ')})`;
}

/** PowerShell takes typographic quotes for quotes as well. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`;
}
