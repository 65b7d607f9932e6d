import path from 'node:path';
import type { Agent } from '../../adapters/agent.ts';
import { DocketError } from '../../errors.ts';
import { agentNamed, agentNameFor, onModel, roleOf } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import type { Task } from '../../task/schema.ts';
import type { Node, Permission } from '../../workflow/graph.ts';
import type { QueueProject } from './kind.ts';

const levels: readonly Permission[] = ['read', 'edit', 'full'];

/** Who does what. Agents are made once each: ten tasks of one agent share it. */
export class Staff {
  readonly #config: Config;
  readonly #places: QueueProject;
  /** For everything, whatever tasks and workflows say. */
  readonly #wanted: string | undefined;
  readonly #made = new Map<string, Promise<Agent>>();

  constructor(config: Config, places: QueueProject, wanted: string | undefined) {
    this.#config = config;
    this.#places = places;
    this.#wanted = wanted;
  }

  named(name: string): Promise<Agent> {
    const made = this.#made.get(name) ?? agentNamed(name, this.#config, this.#places);
    this.#made.set(name, made);
    return made;
  }

  /** What the task asks for, then its step's own wish, then who plays that part, then the default. */
  nameFor(node: Node | undefined, { spec: { routing } }: Pick<Task, 'spec'>): string {
    const byRole = roleOf(node?.role, this.#config).agent;
    return this.#wanted ?? routing?.agent ?? node?.agent ?? byRole ?? agentNameFor(routing, this.#config);
  }

  /** A scripted agent remembers its conversations beside its attempts: they are the task's, not a step's. */
  #memoryOf({ id }: Task): string {
    return path.join(this.#places.dir, 'attempts', id);
  }

  /** The agent of a step, with the rights that this step has. */
  async for(node: Node, task: Task): Promise<Agent> {
    const found = await this.named(this.nameFor(node, task));
    const model = this.#wanted === undefined ? node.model : undefined;
    const agent = model === undefined ? found : onModel(found, model, this.#config);
    return {
      ...agent,
      permission: permitted(node, agent),
      ...(agent.adapter.name === 'script' && { home: agent.home ?? this.#memoryOf(task) }),
    };
  }
}

/**
 * A workflow may take rights away; more than the settings give it only asks for, because it comes with the repository.
 * What cannot be held to reading is watched instead: what it changes is found, and holds the step.
 */
function permitted({ title, permission, floor }: Node, agent: Agent): Permission {
  const given = permission === 'read' && canRead(agent) ? 'read' : agent.permission;
  if (floor === undefined || levels.indexOf(floor) <= levels.indexOf(given)) return given;
  throw new DocketError(
    'REFUSED',
    `step ${title} needs the permission "${floor}", and agent ${agent.name} has "${given}"`,
    `write "permission: ${floor}" for ${agent.name} into .docket/config.yaml if you trust this workflow`,
    { step: title, agent: agent.name },
  );
}

/** It can be kept from writing, by itself or from outside. */
export function canRead({ adapter, sandbox }: Agent): boolean {
  return adapter.capabilities.permissions.read !== 'none' || sandbox !== 'none';
}
