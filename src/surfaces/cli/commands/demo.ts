import { resolve } from 'node:path';
import * as v from 'valibot';
import { shellWord } from '../../../errors/shell-word.ts';
import type { DemoEnd } from '../../../project/demo/play.ts';
import type { DemoEvent } from '../../../project/demo/shell.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { printFailure } from '../frame/failure.ts';
import * as json from '../frame/json.ts';
import type { Paint } from '../frame/style.ts';

const demo = {
  ...json.like<Omit<DemoEnd, 'problem'>>()(
    v.strictObject({
      outcome: v.picklist(['done', 'failed', 'stopped']),
      agent: json.text,
      folder: json.text,
      repository: json.text,
      kept: json.described(json.flag, 'The folder is there to be looked at.'),
      command: json.described(json.text, 'What to type for docket there.'),
      env: json.described(v.record(json.text, json.text), 'What docket needs in its environment there.'),
    }),
  ).entries,
  seconds: v.number(),
  commands: v.array(
    v.strictObject({ line: json.text, code: v.pipe(v.number(), v.integer()), seconds: v.number() }),
  ),
  checked: json.described(json.texts, 'What was looked at, and is so.'),
};

export const command: Definition = {
  options: [
    {
      name: 'agent',
      summary: 'Let a real agent do the work (else: a scripted one)',
      value: { kind: 'text', names: 'agent', label: 'NAME' },
    },
    {
      name: 'dir',
      summary: 'Make it here, an empty folder (else: a temporary one)',
      value: { kind: 'directory', label: 'DIR' },
    },
    { name: 'remove', summary: 'Take everything away at the end' },
  ],
  notes: [
    'Five tasks of all layouts, a question to a person, a crash, a false claim that',
    'is caught, a merge. Every command is shown before it runs; only the agent is',
    'scripted, and needs no account. The folder stays, so that you can look around.',
    'With --agent, by an agent of yours, the same work costs a dozen small calls.',
    'Exit code: 0 all as it should be, 1 something was not.',
  ],
  examples: ['docket demo', 'docket demo --agent codex', 'docket demo --remove --json'],
  answer: json.one('What the demonstration did; it fails when something was not as it should be.', demo, {
    beside: demo,
  }),
  run,
};

/** Plays the demonstration: every command is shown, and has the terminal. */
async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const { playDemo } = await import('../../../project/demo/play.ts');
  const agent = last(args, 'agent');
  const dir = last(args, 'dir');
  const stop = new AbortController();
  const deaf = world.onStop(() => {
    out.alarm('\nstopping: what was made is taken away (again to leave at once)');
    stop.abort();
  });
  const shown = !globals.json && !globals.quiet;
  const lines = demoLines(out.paintData);
  const events: DemoEvent[] = [];
  const began = world.now();
  try {
    const end = await playDemo({
      env: world.env,
      ...(agent !== undefined && { agent }),
      ...(dir !== undefined && { dir: resolve(world.cwd, dir) }),
      remove: args.options.has('remove'),
      shown,
      signal: stop.signal,
      tell: (event) => {
        events.push(event);
        const text = shown ? lines(event) : undefined;
        if (text !== undefined) out.data(text);
      },
    });
    return tell(end, events, (world.now() - began) / 1000, context);
  } finally {
    deaf();
  }
}

const codes = { done: 0, failed: 1, stopped: 130 } as const;

function tell(end: DemoEnd, events: readonly DemoEvent[], seconds: number, context: Context): number {
  const { globals, out } = context;
  const code = codes[end.outcome];
  if (globals.json) {
    const { outcome, problem, ...about } = end;
    const commands = events.flatMap((event) => {
      if (event.kind !== 'ended') return [];
      const { kind, ...ended } = event;
      return [ended];
    });
    const checked = events.flatMap((event) => (event.kind === 'checked' ? [event.text] : []));
    const fields = { outcome, ...about, seconds, commands, checked };
    if (code === 0) out.answer(fields);
    else out.refuse(errorFor(end), fields);
    return code;
  }
  if (end.outcome === 'failed') printFailure({ ...errorFor(end), commands: [], exitCode: code }, out, false);
  if (end.outcome === 'done') out.data(lookAround(end, seconds, out.paintData));
  return code;
}

function errorFor({ outcome, problem = '', folder, kept }: DemoEnd) {
  return {
    code: 'RUN',
    message: outcome === 'stopped' ? 'interrupted' : `the demonstration did not go as it should: ${problem}`,
    fix: kept ? `look into ${folder}, or try again: docket demo` : 'try again: docket demo',
    data: { folder, exitCode: codes[outcome] },
  };
}

/** What a demonstration prints besides its commands' own output. */
export function demoLines(paint: Paint): (event: DemoEvent) => string | undefined {
  let act = 0;
  return (event) => {
    switch (event.kind) {
      case 'act':
        act += 1;
        return `\n${paint('bold', `${act}. ${event.title}`)}`;
      case 'say':
        return paint('dim', `# ${event.text}`);
      case 'command':
        return `${paint('cyan', '$')} ${paint('bold', event.line)}`;
      case 'output':
        return event.text.trimEnd();
      case 'checked':
        return `${paint('green', '✓')} ${event.text}`;
      case 'ended':
        return undefined;
    }
  };
}

/** The last words: how long it took, and where to look next. */
export function lookAround(end: DemoEnd, seconds: number, paint: Paint): string {
  const { agent, kept, repository, folder, command, env } = end;
  const took = `\n${paint('green', '✓')} Everything was as it should be, in ${Math.round(seconds)} s, by the agent "${agent}".`;
  const yours = 'In a repository of yours: docket init, docket agents, docket add "…" --worktree, docket run';
  if (!kept) return `${took}\n${yours}`;
  const name = command === 'docket' ? '' : `\n  alias docket=${shellWord(command)}`;
  const set = Object.entries(env).map(([key, value]) => ` ${key}=${shellWord(value)}`);
  const own = set.length === 0 ? '' : `\n  export${set.join('')}`;
  return `${took}
Look around in what it left:
  cd ${shellWord(repository)}${name}${own}
  docket status                    # everything on one screen
  docket show zero                 # a task, with every step and what proves it
  docket explain zero              # how it came to be as it is
  docket logs days                 # what an agent said and did
  docket cost                      # what it all used
  ls .takt .agentmesh .tmp state   # it is all plain text
  rm -r ${shellWord(folder)}
${yours}`;
}
