import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { findTemplate } from '../../src/kinds/packet/inputs.ts';
import { PacketProject } from '../support/packet-project.ts';
import { startModel, type Model } from './model/server.ts';
import type { Scenario } from './model/step.ts';
import { codexSetup } from './setup/codex.ts';
import { copilotSetup } from './setup/copilot.ts';
import { geminiSetup } from './setup/gemini.ts';
import { commandOf } from './setup/setup.ts';

/** A packet whose codex, gemini and copilot are the real ones. The scenario has what a model says in each stage. */
export async function realPacket(
  intent: string,
  scenario: Scenario,
): Promise<{ project: PacketProject; model: Model }> {
  const project = new PacketProject();
  const model = await startModel(scenario);
  onTestFinished(() => model.close());
  const agents = [codexSetup, geminiSetup, copilotSetup].map((setup) => {
    const env = setup.prepare(project.home, model.url);
    return [setup.name, { adapter: setup.name, command: commandOf(setup.name), env }] as const;
  });
  project.write('.docket/config.yaml', JSON.stringify({ agents: Object.fromEntries(agents) }));
  for (const stage of Object.keys(scenario)) mark(project, stage);
  await project.make(intent);
  return { project, model };
}

/** The stage's own template, and behind it the marker by which the model knows it. */
function mark(project: PacketProject, stage: string): void {
  const [, tool = '', role = ''] = /^([a-z]+)_(.+)$/.exec(stage) ?? [];
  const { text } = findTemplate(project.root, tool, role);
  const file = path.join('.docket', 'prompts', 'packet', tool, `${role}.md`);
  fs.mkdirSync(path.join(project.root, path.dirname(file)), { recursive: true });
  project.write(file, `${text}\n[[${stage}]]\n`);
}
