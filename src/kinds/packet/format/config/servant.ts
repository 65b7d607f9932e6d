import type { Wrong } from '../../../../layout/layout.ts';
import { anything, keys, needed, unless } from '../../../../schema/mapping.ts';
import { count, list, text, word, yesNo, type Rule } from '../../../../schema/rule.ts';
import type { Json } from '../../../../schema/value.ts';
import { readBy } from '../reading.ts';
import type { Tool } from '../stages.ts';
import {
  approvalModes,
  efforts,
  purposes,
  timeoutModes,
  type ApprovalMode,
  type Effort,
  type Purpose,
  type TimeoutMode,
} from './words.ts';

/** How one tool is called. */
export type Servant = {
  default_model: string;
  allowed_models: string[];
  wrapper_defaults: {
    /** 0 is no limit. */
    timeout_ms: number;
    timeout_mode: TimeoutMode;
    /** Codex only. */
    effort?: Effort;
    /** Gemini only. */
    approval_mode?: ApprovalMode;
    sandbox?: boolean;
  };
  purpose_models: { [purpose in Purpose]?: string };
  /** Codex only. */
  purpose_efforts: { [purpose in Purpose]?: Effort };
};

/** What one file sets. */
export interface ServantLayer {
  tool: Tool;
  source: string;
  values: Partial<Servant>;
}

/** `configs/servant/<tool>.yaml`: any of its keys, for it may lie over another. Never throws. */
export function readServant(
  yaml: string,
  tool: Tool,
  source: string,
): { layer: ServantLayer } | { wrongs: Wrong[] } {
  const read = readBy(yaml, ruleOf(tool));
  if ('wrongs' in read) return read;
  const { version, tool: _, web_capabilities, effort_level_descriptions, ...values } = read.value;
  return { layer: { tool, source, values } };
}

/** The last four say nothing that docket acts on. */
type ServantFile = Partial<Servant> & {
  version?: number;
  tool?: Tool;
  web_capabilities?: Json;
  effort_level_descriptions?: Json;
};

const models = unless(
  list(text()),
  (names) => (names.length === 0 ? 'is empty' : undefined),
  'Name at least one model.',
);
const limits = {
  timeout_ms: needed(count(0, Number.MAX_SAFE_INTEGER, 0), 'timeout_ms: 600000'),
  timeout_mode: needed(word(timeoutModes), 'timeout_mode: enforce'),
};
const wrapperDefaults: Record<Tool, Rule<Servant['wrapper_defaults']>> = {
  codex: keys({ ...limits, effort: needed(word(efforts), 'effort: high') }),
  gemini: keys({
    ...limits,
    approval_mode: needed(word(approvalModes), 'approval_mode: default'),
    sandbox: needed(yesNo(false), 'sandbox: false'),
  }),
  copilot: keys(limits),
};

function ruleOf(tool: Tool): Rule<ServantFile> {
  const common = {
    version: count(1, 2, 1),
    tool: word([tool]),
    default_model: text(),
    allowed_models: models,
    wrapper_defaults: wrapperDefaults[tool],
    purpose_models: keys({}, perPurpose(text())),
    web_capabilities: anything,
    effort_level_descriptions: anything,
  };
  return tool === 'codex'
    ? keys({}, { ...common, purpose_efforts: keys({}, perPurpose(word(efforts))) })
    : keys({}, common);
}

function perPurpose<T extends Json>(rule: Rule<T>): Record<Purpose, Rule<T>> {
  return Object.fromEntries(purposes.map((purpose) => [purpose, rule])) as Record<Purpose, Rule<T>>;
}
