import { loadCommands } from '../../../src/surface/cli/commands.ts';

/** With their grammar, in the order of help. */
export const commands = await loadCommands();
