import { setTimeout as sleep } from 'node:timers/promises';
import { acpCases } from './acp.ts';
import { copilotSetup } from './setup/copilot.ts';
import { geminiSetup } from './setup/gemini.ts';
import { opencodeSetup } from './setup/opencode.ts';

const minute = 60_000;

acpCases(geminiSetup, {
  args: ['--acp', '--model', geminiSetup.model ?? ''],
  env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
  // It names a session's file by the minute: one that is loaded within the minute of its making begins empty.
  beforeResume: () => sleep(minute - (Date.now() % minute) + 1000),
});

acpCases(copilotSetup, { args: ['--acp', '--no-auto-update'] });

acpCases(opencodeSetup, {
  args: ['acp'],
  env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask' }) },
});
