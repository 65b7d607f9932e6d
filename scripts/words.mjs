// How the code speaks, counted: functions named by a bare participle, names of types that are declared more than twice,
// comments that begin without a noun, and words in strings that CONTRIBUTING.md replaces by plainer ones.
// node scripts/words.mjs [--list] [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 'src';
const listed = process.argv.includes('--list');

/** Participles that are also plain names of a value (`made`) count only where they name a function. */
const participles = new Set(
  `added allowed answered asked asked been begun born built called caught changed checked chosen closed come composed conducted copied counted cut
  done drawn ended fallen felt filled finished folded forgotten found frozen given gone grouped handed heard held hidden judged kept known laid led left
  listed lost made matched meant met moved named noted noticed opened ordered packed paid parsed piloted placed prepared put ran read redacted refused
  removed renamed run said seen sent served set settled shown sorted spoken spawned staffed started stopped stored taken told tried typed used waited
  wanted worked written`
    .split(/\s+/)
    .filter((word) => !['read', 'set', 'put', 'run', 'cut', 'left'].includes(word)),
);

const banned =
  /\b(?:mend(?:s|ed|ing)?|stands? still|stood still|in vain|seen to it|sees? to it|goes on|go on with|went on|left alone|nobody (?:told|knows)|somebody who|who stands in|stands? in for|untold|lately|told by|in all\b(?! \w)|it ended well)\b/i;

const functions = [];
const types = new Map();
const comments = [];
const strings = [];

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
for (const file of files.toSorted().map((name) => `${folder}/${name}`)) {
  const source = readFileSync(file, 'utf8');
  const { program, comments: found } = parseSync(file, source);
  const at = (start) => `${file}:${source.slice(0, start).split('\n').length}`;
  const named = (name, start) => participles.has(name) && functions.push(`${at(start)} ${name}`);
  const declared = (name, start) => types.set(name, [...(types.get(name) ?? []), at(start)]);
  const said = (text, start) => banned.test(text) && strings.push(`${at(start)} ${text.slice(0, 100)}`);
  new Visitor({
    FunctionDeclaration: ({ id, start }) => id && named(id.name, start),
    VariableDeclarator: ({ id, init, start }) =>
      id.type === 'Identifier' && /Function/.test(init?.type ?? '') && named(id.name, start),
    MethodDefinition: ({ key, start }) => key.type === 'Identifier' && named(key.name, start),
    TSInterfaceDeclaration: ({ id, start }) => declared(id.name, start),
    TSTypeAliasDeclaration: ({ id, start }) => declared(id.name, start),
    Literal: ({ value, start }) => typeof value === 'string' && said(value, start),
    TemplateElement: ({ value, start }) => said(value.cooked ?? '', start),
  }).visit(program);
  for (const { type, value, start } of found)
    if (type === 'Block' && /^\*\s+(?:What|Who|Whose|Where|Of|It|That|Those|How)\b/.test(value))
      comments.push(`${at(start)} ${value.trim().split('\n')[0].slice(0, 100)}`);
}

const often = [...types]
  .filter(([, places]) => places.length > 2)
  .toSorted((a, b) => b[1].length - a[1].length);
for (const [what, rows] of [
  ['functions named by a bare participle', functions],
  ['names of types that are declared more than twice', often.map(([name, all]) => `${name} ×${all.length}`)],
  ['comments that begin with What, Who, Where, Of, It, That or How', comments],
  ['strings with a word that has a plainer one', strings],
]) {
  console.log(`${String(rows.length).padStart(5)} ${what}`);
  if (listed) console.log(rows.map((row) => `      ${row}`).join('\n'));
}
