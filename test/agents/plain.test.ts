import { command } from '../../src/adapters/command/adapter.ts';
import { script } from '../../src/adapters/script/adapter.ts';
import { conformance } from './conformance.ts';
import { playedBy, scripted } from './plain-stage.ts';

// The adapters that need no model are held to the same suite, but for what only a model can do.
conformance({ adapter: command, stage: playedBy });
conformance({ adapter: script, stage: scripted });
