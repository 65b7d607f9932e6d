import { withAgent, type Story } from '../story.ts';

const order = (...prompts: readonly string[]) =>
  JSON.stringify({
    sessionGoal: 'Ship it',
    tasks: prompts.map((prompt, at) => ({
      taskId: `part-${at}`,
      title: `Part ${at}`,
      agent: 'worker',
      adapter: 'sh',
      prompt,
    })),
  });

export const tasks: Story = {
  title: 'task directories',
  make: (place) => {
    withAgent(place);
    place.write('easy.json', order('Write it'));
    place.write('hard.json', order('Write it', 'ASK first'));
  },
  lines: [
    { line: 'task create --title Easy --topology swarm', keeps: 'easy' },
    'task run {easy} --actions easy.json',
    { line: 'task create --title Hard --topology swarm', keeps: 'task' },
    { line: 'task run {task} --actions hard.json', code: 5 },
    'task show {task}',
    'show {task}',
    'explain {task}',
    'task list',
    { line: 'gate list {task}', keeps: { name: 'gate', field: 'gates.0.gate' } },
    'gate approve {task} {gate} --note 8080',
    'task resume {task}',
    'task retry {task}',
    'task events {task}',
    { line: 'task events {task} --follow', until: 'agent.' },
    'task join {task}',
    'task validate {task}',
    'logs {task}',
    'task export {task} --output out.tar.gz',
    'task import out.tar.gz --dry-run --root {outside}',
    'task import out.tar.gz --root {outside}',
    { line: 'task create --title Other --topology squad', keeps: 'other' },
    { line: 'task run {other} --actions hard.json', code: 5 },
    'gate reject {other} --note No',
    { line: 'task create --title Third --topology squad', keeps: 'third' },
    'task cancel {third}',
    'status',
  ],
};
