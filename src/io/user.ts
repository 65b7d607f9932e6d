export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The system keeps secrets where a file cannot show them. */
export function hasKeychain(): boolean {
  return process.platform === 'darwin';
}
