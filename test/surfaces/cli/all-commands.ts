import { loadCommands } from '../../../src/surfaces/cli/frame/commands.ts';

/** With their grammar, in the order of help. */
export const commands = await loadCommands();
