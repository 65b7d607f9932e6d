/** The host of a process of which a file names the pid alone. */
export const unknownHost = 'unknown';
/** The owner of a task that a file calls running, without a word about who runs it. */
export const nobody = 'nobody';
