import * as v from 'valibot';
import { shellWord } from '../../../errors/shell-word.ts';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import type { Color } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';

type Seen = Awaited<ReturnType<Docket['doctor']>>[number];
const about = { check: json.text, what: json.text, where: json.maybe(json.text) };
const seen = json.like<Seen>()(
  v.variant('state', [
    v.strictObject({ ...about, state: v.literal('ok') }),
    v.strictObject({
      ...about,
      state: v.picklist(['warn', 'bad']),
      fix: json.text,
      command: json.described(
        json.text,
        'A line to type in the root: it mends it, or opens the place where only a person can.',
      ),
    }),
  ]),
);
const doctor = { root: json.text, findings: v.array(seen) };

export const command: Definition = {
  options: [],
  notes: [
    'Machine, git, disk, settings, agents, sandbox, the files of all tasks, what',
    'died and left something behind, limits, budgets and notices. It only reads,',
    'and no call of an agent is spent. Exit code: 0 nothing bad, 1 something is.',
  ],
  examples: ['docket doctor', 'docket doctor --json | jq \'.findings[] | select(.state != "ok")\''],
  answer: json.one('What is well and what is not; it fails when something is bad.', doctor, {
    beside: doctor,
  }),
  run,
};

const colors: Readonly<Record<Seen['state'], Color>> = { ok: 'green', warn: 'yellow', bad: 'red' };

async function run(context: Context): Promise<number> {
  const { globals, out, world } = context;
  const isWatched = world.stderr.isTTY === true && !globals.json && !globals.quiet;
  const status = (text: string) => isWatched && world.stderr.write(`\r\u001B[K${text}`);
  const { root, findings } = await withDocket(context, async (docket) => ({
    root: docket.root,
    findings: await docket.doctor({ onCheck: (name) => status(`looking at ${name} …`) }),
  })).finally(() => status(''));
  const bad = findings.filter(({ state }) => state === 'bad').length;
  const warned = findings.filter(({ state }) => state === 'warn').length;
  const code = bad > 0 ? 1 : 0;
  if (globals.json) {
    if (code === 0) out.answer({ root, findings });
    else out.refuse(unwell(findings), { root, findings });
    return code;
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const finding of findings) out.data(textOf(finding, width, root, context));
  out.talk(
    bad + warned === 0
      ? 'No problems found.'
      : `${countOf(bad, 'problem')}, ${countOf(warned, 'warning')}. Nothing was changed.`,
  );
  return code;
}

function textOf(finding: Seen, width: number, root: string, context: Context): string {
  const { out } = context;
  const { check, state, what, where } = finding;
  const paint = out.paintData;
  const lines = [`${paint(colors[state], state.padEnd(4))}  ${check.padEnd(width)}  ${visible(what)}`];
  const add = (word: string, text: string | undefined) => {
    if (text !== undefined)
      lines.push(`${' '.repeat(width + 8)}${paint('dim', `${word}:`)} ${visible(text)}`);
  };
  add('where', where);
  if (finding.state !== 'ok') {
    if (finding.fix !== finding.command) add('fix', finding.fix);
    add('run', typed(finding.command, root, context));
  }
  return lines.join('\n');
}

/** As it can be copied here: a command of docket finds the root by itself. */
function typed(command: string, root: string, context: Context): string {
  if (command.startsWith('docket ')) return command.replace('docket', () => copyable(context));
  return context.world.cwd === root ? command : `cd ${shellWord(root)} && ${command}`;
}

function unwell(findings: readonly Seen[]) {
  const bad = findings.flatMap((finding) => (finding.state === 'bad' ? [finding] : []));
  const [first] = bad;
  const about = first ? `: ${first.check}: ${first.what}` : '';
  const message = `${bad.length} ${bad.length === 1 ? 'thing is' : 'things are'} bad${about}`;
  const fix = `${first?.fix ?? ''} (docket doctor shows all of them)`.trim();
  return { code: 'FINDINGS', message, fix, data: { bad: bad.length } };
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
