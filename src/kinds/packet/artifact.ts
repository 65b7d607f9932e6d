/** What the commands of a verify gate said, for people and for the agents that come after. */
export function artifactText(
  stage: string,
  at: string,
  results: readonly { command: string; code: number; output: string }[],
): string {
  const parts = results.map(({ command, code, output }) => {
    const runs = output.match(/`{3,}/g) ?? [];
    const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
    return `## Command: \`${command}\`\n\n${fence}\n${output.trimEnd()}\n${fence}\n\nExit code: ${code}\n`;
  });
  return [`# Verify Gate Results\n\nStage: ${stage}\nTimestamp: ${at}\n`, ...parts].join('\n');
}
