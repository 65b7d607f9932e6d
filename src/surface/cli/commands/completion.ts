import type { Context } from '../context.ts';
import type { shells } from '../tables/around.ts';

type Shell = (typeof shells)[number];

export async function run({ args, globals, out }: Context): Promise<number> {
  const shell = args.operands[0] as Shell; // the parser let no other word pass
  const script = await scriptFor(shell);
  if (globals.json) out.answer({ shell, script });
  else out.data(script);
  return 0;
}

async function scriptFor(shell: Shell): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.ts')).bashScript();
    case 'zsh':
      return (await import('../completion/zsh.ts')).zshScript();
    case 'fish':
      return (await import('../completion/fish.ts')).fishScript();
    case 'powershell':
      return (await import('../completion/powershell.ts')).powershellScript();
  }
}
