/** Where a board's files are, below its root. */
export const logFile = 'state/tasks.jsonl';
export const locksFolder = 'state/locks';
/** The lock of other tools that write to the board. */
export const boardLock = 'state/locks/task-board.lock';
export const archiveFolder = 'state/archive';
/** docket's own folder for it. */
export const ownFolder = '.docket/board';
export const autopilotFile = 'state/user-friendly.autopilot.json';
export const cooldownFile = 'state/clarify.cooldown.json';
