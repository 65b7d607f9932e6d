import type { Place, Stage } from './lab.ts';
import { startModel } from './model/server.ts';
import type { Scenario } from './model/step.ts';
import { commandOf, type Setup } from './setup/setup.ts';

/** The real CLI with a scripted model behind it. `more`: arguments of another way to talk to it. */
export function modelStage(setup: Setup, more: readonly string[] = []) {
  return async (scenario: Scenario, { home }: Place): Promise<Stage> => {
    const model = await startModel(scenario);
    return {
      command: [...commandOf(setup.name), ...more],
      ...(setup.model !== undefined && { modelName: setup.model }),
      env: setup.prepare(home, model.url),
      model,
      arrived: (name) => model.arrived(name),
      close: () => model.close(),
    };
  };
}
