import path from 'node:path';
import { loadVendors } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso, type Clock } from '../../io/clock.ts';
import { createFile, makeDir, readBytes, replaceFile } from '../../io/files.ts';
import { skillFiles, type SkillInput } from './places.ts';
import { isAsWritten, skillText } from './text.ts';

/** `kept`: somebody edited it, and it was left as it is. `replaced`: so it was, and `backup` has what was there. */
interface InstalledSkill {
  path: string;
  state: 'made' | 'same' | 'updated' | 'kept' | 'replaced';
  backup?: string;
}

export interface Skill {
  /** What `install` writes. */
  text: () => string;
  install: (input: SkillInput) => InstalledSkill[];
}

interface Where {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
}

export async function makeSkill(where: Where): Promise<Skill> {
  const vendors = await loadVendors();
  return {
    text: skillText,
    install: (input) => skillFiles(where, input, vendors).map((file) => installAt(file, input, where.clock)),
  };
}

function installAt(file: string, { force, dryRun }: SkillInput, clock: Clock): InstalledSkill {
  const text = skillText();
  const before = readBytes(file);
  if (before === undefined) {
    if (!dryRun) make(file, text);
    return { path: file, state: 'made' };
  }
  const words = before.toString('utf8');
  if (words === text) return { path: file, state: 'same' };
  const isOurs = isAsWritten(words);
  if (!isOurs && !force) return { path: file, state: 'kept' };
  const backup = `${file}.${iso(clock).replaceAll(/[:.]/g, '-')}.bak`;
  if (!dryRun) {
    if (!isOurs) make(backup, before);
    if (!replaceFile(file, text, { sync: true, still: () => readBytes(file)?.equals(before) === true }))
      throw changed(file);
  }
  return isOurs ? { path: file, state: 'updated' } : { path: file, state: 'replaced', backup };
}

function make(file: string, content: string | Buffer): void {
  makeDir(path.dirname(file));
  if (!createFile(file, content, { sync: true })) throw changed(file);
}

/** Also a link that leads nowhere: it is not there to be read, and not free either. */
function changed(file: string): DocketError {
  const todo = fix`look at what is there, and run ${command`skill install`} again`;
  return new DocketError('CONFLICT', `${file} was changed or made by somebody else just now`, todo, {
    path: file,
  });
}
