import type { Definition } from '../command.ts';
import { loadCommands } from '../commands.ts';
import type { Context } from '../context.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
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
  run,
};

type Shell = (typeof shells)[number];

async function run({ args, globals, out }: Context): Promise<number> {
  const shell = args.operands[0] as Shell; // the parser let no other word pass
  const script = await scriptFor(shell);
  if (globals.json) out.answer({ shell, script });
  else out.data(script);
  return 0;
}

async function scriptFor(shell: Shell): Promise<string> {
  const commands = await loadCommands();
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.ts')).bashScript(commands);
    case 'zsh':
      return (await import('../completion/zsh.ts')).zshScript(commands);
    case 'fish':
      return (await import('../completion/fish.ts')).fishScript(commands);
    case 'powershell':
      return (await import('../completion/powershell.ts')).powershellScript(commands);
  }
}
