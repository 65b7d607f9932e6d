import path from 'node:path';
import { DocketError } from '../errors.ts';
import { exists } from '../io/links.ts';
import { packageRoot } from '../io/package-root.ts';
import type { OutputMask } from '../io/process/process.ts';
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
