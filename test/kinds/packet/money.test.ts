import { expect, it } from 'vitest';
import { whyOf } from '../../support/circle.ts';
import { PacketProject } from '../../support/packet-project.ts';

it('a packet with a cap on money makes no call whose price nobody knows, by the model of each stage', async () => {
  const project = await PacketProject.with('codex_only', {}, { commands: [] });
  project.set('cost_usd', 1);
  const held: [string, number][] = [];
  const prices: Record<string, object> = {};
  let ran = await project.run();
  for (; ran.status === 'blocked'; ran = await project.run()) {
    const why = whyOf(ran.task);
    const [, model] = /^budget: money is capped, and nobody knows the price of (\S+): /.exec(why) ?? [];
    if (model === undefined || model in prices) throw new Error(why);
    held.push([model, project.called().length]);
    prices[model] = { input: 1, output: 1 };
    project.configure({ prices });
  }
  expect([ran.status, ...held]).toEqual(['done', ['gpt-5.2-codex', 0], ['gpt-5.3-codex', 1]]);
});
