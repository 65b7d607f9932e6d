#!/usr/bin/env node
// A model's command line at night: `night-agent.mjs VENDOR PROVIDER ARGS…`. Speaks the vendor's own format, keeps a diary of
// every call, and answers as the provider's weather is (night-agent/weather.mjs).
import { readFileSync } from 'node:fs';
import { perform, workIn } from './night-agent/acts.mjs';
import { night } from './night-agent/clock.mjs';
import { note } from './night-agent/diary.mjs';
import { recall, remember } from './night-agent/sessions.mjs';
import { vendors } from './night-agent/vendors.mjs';
import { weather } from './night-agent/weather.mjs';

const [name, provider, ...argv] = process.argv.slice(2);
const vendor = vendors[name](argv);
const prompt = readFileSync(0, 'utf8');
const before = vendor.how === 'resume' ? recall(vendor.id) : { prompt, turns: 0 };
const about = { provider, session: vendor.id, how: vendor.how };
// Once it is in the diary, its conversation can be gone on with.
if (before && vendor.id !== undefined) remember(vendor.id, before);
if (before) vendor.begin();
note({ event: 'call', ...about, name: before && workIn(before.prompt).name, words: prompt.length });

if (!before) {
  vendor.lost();
  end('lost', 1);
}
const spell = weather(provider);
if (spell) end(spell.kind, spell.kind === 'limit' ? vendor.limit(spell) : vendor.outage());
const turns = before.turns + 1;
const { report, text } = await perform(workIn(before.prompt), before.prompt);
if (vendor.id !== undefined) remember(vendor.id, { ...before, turns });
vendor.done(report, text, turns, night.cost?.[provider] ?? 0.01);
note({ event: 'end', ...about, what: 'served' });

function end(what, code) {
  note({ event: 'end', ...about, what });
  process.exit(code);
}
