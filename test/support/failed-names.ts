import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Repeats the names of all failed tests as the last thing that is printed, where whoever reads a log looks first. */
export class FailedNames implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((one) => namesIn(one));
    if (failed.length > 0)
      process.once('exit', () => process.stdout.write(`\nFailed:\n${failed.join('\n')}\n`));
  }
}

function namesIn(module: TestModule): string[] {
  const file = path.relative(process.cwd(), module.moduleId);
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => `  ${file} > ${fullName}`);
  const isBroken = module.state() === 'failed' && tests.length === 0;
  return isBroken ? [`  ${file} (the file itself)`] : tests;
}
