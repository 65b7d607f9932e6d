import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Place, Stage } from './lab.ts';
import type { Action, Scenario, Step } from './model/step.ts';

const player = fileURLToPath(new URL('bin/player.mjs', import.meta.url));

/** A program that plays the scenario itself: for the `command` adapter. */
export function playedBy(scenario: Scenario, { home }: Place): Promise<Stage> {
  const file = path.join(home, 'scenario.json');
  fs.writeFileSync(file, JSON.stringify(scenario));
  return Promise.resolve(plain([process.execPath, player, file, home], home));
}

/** The same scenario in the words of the `script` adapter. */
export function scripted(scenario: Scenario, place: Place): Promise<Stage> {
  const file = path.join(place.home, 'scenario.yaml');
  const rules = Object.entries(scenario).map(([name, steps]) => ({
    when: `[[${name}]]`,
    steps: steps.flatMap((step) => told(step, name, place)),
  }));
  // JSON is YAML.
  fs.writeFileSync(file, JSON.stringify({ rules }));
  return Promise.resolve(plain([file], place.home));
}

function plain(command: string[], home: string): Stage {
  return {
    command,
    env: {},
    async arrived(name) {
      while (!fs.existsSync(path.join(home, `asked-${name}`))) await sleep(20);
    },
    close: () => Promise.resolve(),
  };
}

function told(step: Step, name: string, { cwd, home }: Place): object[] {
  if (step.hang) return [{ run: `touch '${home}/asked-${name}'` }, { hang: true }];
  const steps = (step.do ?? []).map((action) => done(action, cwd));
  if (step.structured) steps.push({ say: 'Here it is.' }, { report: step.structured });
  return step.text === undefined ? steps : [...steps, { say: step.text.replaceAll('{{seen}}', name) }];
}

function done(action: Action, cwd: string): object {
  const inside = (file: string): string => path.relative(cwd, file);
  if ('shell' in action) return { run: action.shell };
  if ('write' in action) return { edit: { path: inside(action.write.path), write: action.write.content } };
  const { path: file, old, new: now } = action.edit;
  return { edit: { path: inside(file), replace: old, with: now } };
}
