import { resolve } from 'node:path';
import type { Docket } from '../../project/docket.ts';
import type { Names, Option, Row, Words } from './frame/command.ts';
import { entries, membersOf } from './frame/commands.ts';
import { groups } from './frame/groups.ts';
import { globalOptions } from './frame/options.ts';
import { recognize, wordsOf, type Token } from './frame/parse.ts';
import type { World } from './frame/world.ts';

/** A word to offer, and what it is. `:file` and `:directory` ask the shell for its own. */
type Offer = readonly [word: string, about: string];

/**
 * What completion scripts call: `docket __complete N WORD…`, where N words are whole and the one behind them is being
 * typed. Prints the offers, one on each line. Whatever is wrong, nobody reads an error while they type.
 */
export async function complete(world: World): Promise<number> {
  const [, count, ...words] = world.argv;
  const typed = words[Number(count)] ?? '';
  try {
    const offers = await offersFor(words.slice(0, Number(count)), typed, world);
    for (const [word, about] of offers) world.stdout.write(`${word}\t${about}\n`);
  } catch {
    // Nothing to offer.
  }
  return 0;
}

async function offersFor(before: readonly string[], typed: string, world: World): Promise<Offer[]> {
  const { command, tokens, rawAt } = await recognize(before);
  const words = wordsOf(tokens);
  const options = [...(command?.options ?? []), ...globalOptions];
  const values = (rule: Words, from: readonly string[], part: string, lead = '') =>
    valuesFor(rule, from, { world, root: rootIn(tokens) }).then((offers) => beginning(offers, part, lead));
  if (rawAt !== undefined) return [];
  if (!tokens.some(({ kind }) => kind === 'option-terminator')) {
    const last = tokens.at(-1);
    const [, name, part] = /^--([^=]+)=(.*)$/s.exec(typed) ?? [];
    const isOpen = last?.kind === 'option' && last.value === undefined;
    const open = options.find((option) => option.name === (name ?? (isOpen ? last.name : undefined)));
    if (open?.value) {
      const value = part ?? typed;
      const comma = open.value.many ? value.lastIndexOf(',') + 1 : 0;
      const lead = `${name === undefined ? '' : `--${name}=`}${value.slice(0, comma)}`;
      return values(open.value, [], value.slice(comma), lead);
    }
    if (typed.startsWith('-')) return beginning(optionOffers(options), typed);
  }
  if (words.length === 0) return beginning(firstWords(), typed);
  const own = command ? words.slice(command.name.split(' ').length) : [];
  const rest = words.length === 1 ? memberOffers(words[0]) : [];
  const operand = command?.operand;
  if (!operand || own.length >= operand.max) return beginning(rest, typed);
  return [...beginning(rest, typed), ...(await values(operand, own, typed))];
}

/** What begins as the word does that is being typed. `lead` comes before it, and stays. */
function beginning(offers: readonly Offer[], part: string, lead = ''): Offer[] {
  return offers.flatMap(([word, about]): Offer[] => {
    if (word.startsWith(':')) return [[word, about]];
    return word.startsWith(part) ? [[`${lead}${word}`, about]] : [];
  });
}

function firstWords(): Offer[] {
  const rows: readonly Row[] = [...entries, ...groups];
  const firsts = new Set(entries.map(({ name }) => name.split(' ')[0] ?? ''));
  return [...firsts].map((first) => [first, rows.find(({ name }) => name === first)?.summary ?? '']);
}

function memberOffers(group = ''): Offer[] {
  return membersOf(group).map(({ name, summary }) => [name.slice(group.length + 1), summary]);
}

function optionOffers(options: readonly Option[]): Offer[] {
  return options.map(({ name, summary }) => [`--${name}`, summary]);
}

function rootIn(tokens: readonly Token[]): string | undefined {
  return tokens.flatMap((token) => (token.kind === 'option' && token.name === 'root' ? [token] : [])).at(-1)
    ?.value;
}

interface Where {
  readonly world: World;
  readonly root: string | undefined;
}

/** `before`: the words of the command that are there already. */
async function valuesFor(rule: Words, before: readonly string[], where: Where): Promise<Offer[]> {
  switch (rule.kind) {
    case 'file':
    case 'directory':
      return [[`:${rule.kind}`, '']];
    case 'oneOf':
      return rule.words.map((word) => [word, '']);
    case 'command':
      if (before[0] !== undefined) return memberOffers(before[0]);
      return [...firstWords(), ['errors', 'All errors'], ['exit-codes', 'All exit codes']];
    case 'integer':
      return [];
    case 'text': {
      const { names } = rule;
      const source = typeof names === 'object' ? names[before.length] : names;
      return source === undefined ? [] : namesFor(source, before, where);
    }
  }
}

/** Reads without a lock, and changes nothing. */
async function namesFor(source: Names, before: readonly string[], { world, root }: Where): Promise<Offer[]> {
  const { openDocket } = await world.docket();
  const docket = await openDocket({
    cwd: world.cwd,
    ...(root !== undefined && { root: resolve(world.cwd, root) }),
  });
  try {
    const names =
      source === 'gated' || source === 'gate' ? gateNames(docket, source, before[0]) : docket.names(source);
    return [...new Set(await names)].map((name) => [name, '']);
  } finally {
    await docket.close();
  }
}

async function gateNames(
  docket: Docket,
  source: 'gated' | 'gate',
  task: string | undefined,
): Promise<string[]> {
  const gates = await docket.gates(source === 'gate' ? task : undefined);
  const waiting = gates.filter(({ state }) => state === 'blocked');
  return waiting.map((one) => (source === 'gate' ? one.gate : one.name));
}
