import path from 'node:path';
import { makeMasking, type Masking } from '../engine/masking.ts';
import { DocketError, messageOf } from '../errors.ts';
import { listDir, readBytes, sizeAndInode } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { isWorthMasking, secretsIn } from '../render/known-secrets.ts';
import { makeMasker } from '../render/masker.ts';
import { secretsInFile, variablesIn } from '../render/secret-file.ts';
import type { Config } from './config.ts';
import type { Project } from './project.ts';

type Where = Pick<Project, 'root' | 'env'>;
type Settings = Pick<Config, 'agents' | 'secrets' | 'setup'>;

const longestFile = 1024 * 1024;
/** `.env`, `.env.local`, `prod.env`; what is shown to everybody as an example holds none. */
const envLike = /^(?:\.env(?:\.[\w-]+)*|[\w-]+\.env)$/;
const exampleLike = /example|sample|template|dist|defaults?$/i;

/** What masks all that a run writes down or sends. Throws where that cannot be made: then nothing may run. */
export function maskingFor({ root, env }: Where, settings: Settings): Masking {
  return makeMasking(knownSecrets({ root, env }, settings));
}

/** For what people type: it is stored, and read by agents. */
export async function maskWords<T>(where: Where, words: T): Promise<T> {
  const { readConfig } = await import('./read-config.ts');
  return makeMasker(knownSecrets(where, await readConfig(where.root, where.env))).value(words);
}

/** For what names something, by its option: masked, two of them would be the same one. */
export async function assertNoSecret(
  where: Where,
  names: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (Object.values(names).every((name) => name === undefined)) return;
  const masked = await maskWords(where, names);
  const { redact } = await import('../render/redact.ts');
  // A name need not stay readable prose: here a guess too many costs nothing.
  const isSecret = (one: string): boolean =>
    masked[one] !== names[one] || redact(names[one] ?? '').text !== (names[one] ?? '');
  const option = Object.keys(names).find(isSecret);
  if (option === undefined) return;
  throw new DocketError(
    'INVALID',
    `${option} holds a secret, and would be shown wherever the task is`,
    `choose another ${option}; an agent gets a secret by its environment: docs/secrets.md`,
    { option },
  );
}

/**
 * Every secret that can be known: in the environment by its name or because the settings name it, what the settings hand
 * to agents from it, and what stands in files that hold nothing else.
 */
export function knownSecrets({ root, env }: Where, settings: Settings): string[] {
  const { agents, secrets = {}, setup } = settings;
  const handed = Object.values(agents).flatMap(({ env: set = {} }) => handedOver(set, env));
  const named = (secrets.env ?? []).flatMap((name) => env[name]?.trim() ?? []);
  const home = env['HOME'] ?? '~';
  const declared = (secrets.files ?? []).flatMap((name) =>
    secretsInFile(textOf(root, name.replace(/^~(?=\/)/, home))),
  );
  const copied = [...listDir(root), ...(setup?.copy ?? [])]
    .filter((name) => envLike.test(path.basename(name)) && !exampleLike.test(name))
    .flatMap((name) => secretsIn(variablesIn(textOf(root, name))));
  const own = [...secretsIn(env), ...secretsIn(setup?.env ?? {})];
  return [...new Set([...own, ...[...handed, ...named, ...declared, ...copied].filter(isWorthMasking)])];
}

/** What comes from docket's own environment is a secret whatever its name is; what stands in the settings by its name. */
function handedOver(set: Readonly<Record<string, string>>, env: Where['env']): string[] {
  const taken = Object.values(set).flatMap((value) => {
    const from = /^\$([A-Za-z_]\w*)$/.exec(value)?.[1];
    return from === undefined ? [] : (env[from]?.trim() ?? []);
  });
  return [...taken, ...secretsIn(set)];
}

/** What is not there cannot leak; what cannot be read could. */
function textOf(root: string, name: string): string {
  const file = path.resolve(root, name);
  try {
    if (isDirectory(file)) return '';
    if ((sizeAndInode(file)?.size ?? 0) > longestFile)
      throw new Error(`it has more than ${longestFile} bytes`);
    return readBytes(file)?.toString('utf8') ?? '';
  } catch (error) {
    throw new DocketError(
      'NO_ACCESS',
      `${name} may hold secrets, and they cannot be kept out of the logs: ${messageOf(error)}`,
      'make it readable, or take it out of "secrets.files" in the settings; until then nothing is run',
      { path: name },
      { cause: error },
    );
  }
}
