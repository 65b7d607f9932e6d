import { resolve } from 'node:path';
import type { NewPacket } from '../../../kinds/packet/api.ts';
import { last, needed, readStdin, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { textOption } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { packet } from '../packet/answer.ts';
import { packetFields } from '../packet/fields.ts';
import { withPackets } from '../packet/running.ts';

export const command: Definition = {
  options: [
    textOption('goal', 'What it is for, in one sentence'),
    textOption('id', 'Name of the packet (default: made)', 'ID'),
    textOption('intent', 'Which stages it gets (default safe_impl)', 'NAME'),
    textOption('request', 'What you want, in your words'),
    { name: 'file', summary: 'Read that from a file ("-": stdin)', value: { kind: 'file', label: 'PATH' } },
    textOption('allow', 'A path that may change (repeatable)', 'PATH'),
    textOption('deny', 'A path that must not (repeatable)', 'PATH'),
    textOption('command', 'A command that proves it (repeatable)', 'COMMAND'),
    textOption('criterion', 'What a good result has (repeatable)'),
  ],
  notes: [
    'Prints its id. --goal is needed; the rest can be written into the manifest.',
    'Intents: safe_impl, one_shot_impl, design_only, review_only, review_cross,',
    'strict_review, post_impl_review, codex_only, or a profile of your own.',
  ],
  examples: [
    'docket packet new --goal "Retry logins" --allow src --command "npm test"',
    'docket packet new --goal "Review it" --intent review_cross --file -',
  ],
  answer: json.one('The packet that was made.', packet),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const input = await inputOf(context);
  const made = await withPackets(context, (packets) => packets.make(input));
  if (globals.json) out.answer(packetFields(made));
  else {
    out.data(visible(made.id));
    const files = [...(input.request === undefined ? ['inputs/user_request.md'] : []), 'manifest.yaml'];
    out.talk(`Edit ${files.map((file) => visible(`${made.dir}/${file}`)).join(' and ')}.`);
    if (input.allow.length === 0) out.talk('Without scope.allow no file may be changed.');
    out.talk(`Next: ${copyable(context, 'packet', 'run', made.id)}`);
  }
  return 0;
}

async function inputOf(context: Context): Promise<NewPacket> {
  const { args } = context;
  const goal = needed(args, 'goal', 'packet new');
  const id = last(args, 'id');
  const request = await requestOf(context);
  const all = (name: string) => args.options.get(name) ?? [];
  return {
    goal,
    intent: last(args, 'intent') ?? 'safe_impl',
    allow: all('allow'),
    deny: all('deny'),
    commands: all('command'),
    criteria: all('criterion'),
    ...(id !== undefined && { id }),
    ...(request !== undefined && { request }),
  };
}

async function requestOf({ args, world, out }: Context): Promise<string | undefined> {
  const text = last(args, 'request');
  const file = last(args, 'file');
  if (text !== undefined && file !== undefined)
    throw usage('the request comes twice: with --request and with --file', 'give one of them', 'packet new');
  if (file === undefined) return text;
  if (file !== '-') return (await world.docket()).readText(resolve(world.cwd, file));
  if (world.stdin.isTTY === true) out.talk('Type the request; end with Ctrl-D.');
  return readStdin(world.stdin);
}
