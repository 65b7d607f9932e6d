import path from 'node:path';
import type { AgentEvent } from '../adapters/adapter.ts';
import { DocketError } from '../errors.ts';
import { listDir } from '../io/files.ts';
import { exists } from '../io/links.ts';
import { packageRoot } from '../io/package-root.ts';
import { plainStat } from '../io/plain-file.ts';
import type { AgentProcess, Line, OutputMask } from '../io/process/process.ts';
import { rewriteFile } from '../io/process/rewrite.ts';
import { places } from '../io/process/supervisor.ts';
import { MaskStream } from '../render/mask-stream.ts';
import { makeMasker, type Masker } from '../render/masker.ts';

/** What masks all that one run writes down or sends. */
export interface Masking extends Masker, OutputMask {}

/** Where its program is missing, nothing may run that could print a secret. */
export function makeMasking(secrets: readonly string[]): Masking {
  const masker = makeMasker(secrets);
  if (secrets.length === 0) return masker;
  const program = path.join(packageRoot(), 'dist/engine/mask-output.js');
  if (!exists(program))
    throw new DocketError(
      'BAD_FILE',
      `secrets are known, and the program that keeps them out of the logs is not there: ${program}`,
      'install docket again (in its repository: npm run build)',
      { path: program },
    );
  return { ...masker, through: { argv: [process.execPath, program], told: JSON.stringify(secrets) } };
}

/** Keeps secrets out of all that comes of one call of an agent: what it is told, what it says, and what it leaves. */
export class AttemptMask {
  readonly #masking: Masking;
  /** Files in which there is nothing left to mask. */
  readonly #clean = new Set<'stdout' | 'stderr'>();

  constructor(masking: Masking) {
    this.#masking = masking;
  }

  text(text: string): string {
    return this.#masking.text(text);
  }

  /** Events are made of lines, which are masked; the end also of files that the agent wrote itself. */
  event(event: AgentEvent): AgentEvent {
    return event.type === 'end' ? this.#masking.value(event) : event;
  }

  /** The process as adapters see it. One that we started behind our own program has masked its output already. */
  process(process: AgentProcess): AgentProcess {
    if (this.#masking.through && !process.adopted) {
      this.#clean.add('stdout').add('stderr');
      return process;
    }
    const onClean = () => void this.#clean.add('stdout');
    const masking = this.#masking;
    return {
      adopted: process.adopted,
      exited: process.exited,
      lines: () => maskedLines(process.lines(), masking, onClean),
      stderrTail: () => masking.lines(process.stderrTail()),
      send: (text) => process.send(text),
      endInput: () => process.endInput(),
      lastOutput: () => process.lastOutput(),
      use: () => process.use(),
      interrupt: () => process.interrupt(),
      isStopping: () => process.isStopping(),
      stop: (reason) => process.stop(reason),
    };
  }

  /** What lies in the attempt's folder when all of it has ended. */
  async folder(dir: string): Promise<void> {
    const clean = new Set([...this.#clean].map((name) => places(dir)[name]));
    for (const name of listDir(dir)) {
      const file = path.join(dir, name);
      if (!clean.has(file) && plainStat(file)?.size)
        await rewriteFile(file, () => new MaskStream(this.#masking));
    }
  }
}

const keyBegins = /-----BEGIN [A-Z0-9 ]{0,80}PRIVATE KEY/;
const keyEnds = /-----END [A-Z0-9 ]{0,80}PRIVATE KEY/;
const longestKey = 600;

/** Line by line; a key has many. `onClean`: all were read, and nothing had to be masked. */
async function* maskedLines(
  lines: AsyncIterable<Line>,
  masking: Masking,
  onClean: () => void,
): AsyncGenerator<Line> {
  let inKey = 0;
  let isClean = true;
  for await (const line of lines) {
    const text = masking.lines(line.text);
    if (text === line.text && inKey === 0) {
      yield line;
      continue;
    }
    isClean = false;
    yield { ...line, text: inKey > 0 && !line.text.startsWith('{') ? '' : text };
    if (keyEnds.test(line.text)) inKey = 0;
    else inKey = keyBegins.test(line.text) ? longestKey : Math.max(0, inKey - 1);
  }
  if (isClean) onClean();
}
