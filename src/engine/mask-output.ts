/**
 * A program of its own that starts another one and masks what it says before it is written down, so that no secret ever
 * reaches the disk, also when docket has died meanwhile. Its secrets come on descriptor 3: a list of arguments, an
 * environment or a file could be read by others. Without them nothing is started.
 */
import { messageOf } from '../errors.ts';
import { passOn, toldBefore } from '../io/process/pass-on.ts';
import { MaskStream } from '../render/mask-stream.ts';
import { makeMasker } from '../render/masker.ts';

/** What a shell says of what cannot be started. */
const notStarted = 126;

async function main(): Promise<number> {
  const secrets = JSON.parse(toldBefore()) as string[];
  const masker = makeMasker(secrets);
  return passOn(process.argv.slice(2), () => new MaskStream(masker));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`docket could not mask the output, so nothing was started: ${messageOf(error)}\n`);
    process.exit(notStarted);
  },
);
