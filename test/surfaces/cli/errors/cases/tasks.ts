import { no, type CaseSet } from '../case.ts';

/** Task directories. */
export const tasks: CaseSet = {
  title: 'with a task directory',
  make: async (place) => {
    place.repository();
    const { id } = await place.done('task create --title Compare --topology swarm');
    place.names.set('task', String(id));
    place.write('bad.json', '{');
    place.write('empty.json', '{}');
    await place.done('task export {task} --output out.tar.gz');
    const old = await place.done('task create --title Old --topology squad');
    place.names.set('old', String(old['id']));
    await place.done('task cancel {old}');
  },
  cases: [
    no('task run {task}', 'REFUSED', '{task}'),
    { ...no('task run {task} --actions bad.json', 'INVALID', 'line 1'), at: 'bad.json' },
    { ...no('task run {task} --actions empty.json', 'INVALID', 'sessionGoal'), at: 'empty.json' },
    { ...no('task run {task} --actions -', 'INVALID', 'stdin', 'line 1'), stdin: '{' },
    { ...no('task run {task} --actions no.json', 'NOT_FOUND'), at: 'no.json' },
    no('task run {task} --goal Work --agent nobody', 'NOT_FOUND', 'nobody'),
    no('task run {task} --goal Work --max-rounds 0', 'USAGE', '--max-rounds 0'),
    no('task resume {task} --note Yes', 'REFUSED', '{task}'),
    { ...no('task export {task} --output out.tar.gz', 'REFUSED'), at: 'out.tar.gz', shown: true },
    { ...no('task export {task} --output no/where/out.tar.gz', 'NOT_FOUND'), at: 'no/where' },
    {
      ...no('task export {task} --output .agentmesh/tasks/{task}/x.tar.gz', 'REFUSED'),
      at: '.agentmesh/tasks/{task}/x.tar.gz',
    },
    { ...no('task import out.tar.gz', 'REFUSED', '{task}'), at: '.agentmesh/tasks' },
    no('task cancel {old}', 'REFUSED', '{old}', 'canceled'),
    no('task validate {task}x', 'NOT_FOUND', '{task}x'),
    no('gate approve {task}', 'NOT_FOUND', '{task}'),
    no('gate approve {task} gate-x', 'NOT_FOUND', 'gate-x'),
  ],
};
