import type { Story } from '../story.ts';
import { around } from './around.ts';
import { board } from './board.ts';
import { chat } from './chat.ts';
import { packets } from './packets.ts';
import { queue } from './queue.ts';
import { tasks } from './tasks.ts';

export const allStories: readonly Story[] = [queue, tasks, packets, board, chat, around];
