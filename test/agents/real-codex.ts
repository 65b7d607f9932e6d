import { onTestFinished } from 'vitest';
import { strictReportSchema } from '../../src/report/strict.ts';
import { TaskProject } from '../support/task-project.ts';
import { startModel, type Model } from './model/server.ts';
import type { Scenario, Step } from './model/step.ts';
import { codexSetup } from './setup/codex.ts';
import { commandOf } from './setup/setup.ts';

/** A task directory whose codex is the real one. What its model says may be about the user's home. */
export async function realCodex(
  scenario: (home: string) => Scenario,
): Promise<{ project: TaskProject; model: Model }> {
  // Nothing but where it is and what it asks: the settings that lead it to the model are in the user's home.
  const settings = { adapter: 'codex', command: commandOf('codex'), model: codexSetup.model };
  const project = new TaskProject({ codex: { ...settings, env: { FAKE_KEY: 'fake' } } });
  const model = await startModel(scenario(project.home));
  onTestFinished(() => model.close());
  codexSetup.prepare(project.home, model.url);
  await project.create();
  return { project, model };
}

/** A worker's hand-back, as a vendor's strict output has it: every field is there. */
export function hands(summary: string, more: object = {}): Step {
  const names = strictReportSchema['required'] as string[];
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  return { structured: { ...nothing, status: 'success', summary, ...more } };
}

interface Vendor {
  threadId: string;
  forkedFromThreadId?: string;
  codexHome?: string;
}

export function vendorOf(project: TaskProject, name: string): Vendor {
  return project.data(`agents/${name}/session.json`)['vendorSession'] as Vendor;
}

/** What the conversation of that request was made of. */
export function talkOf(model: Model, name: string): string {
  const request = model.requests.findLast((one) => one.name === name);
  return (request?.turns ?? []).map(({ role, text }) => `${role}: ${text}`).join('\n');
}
