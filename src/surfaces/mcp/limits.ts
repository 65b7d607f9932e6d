/** How much an agent may send, ask for and get. Nothing that it says changes any of this. */
export const longestMessage = 1024 * 1024;
export const longestText = 16_000;
export const longestTitle = 1000;
export const longestReport = 8000;
export const longestQuestion = 2000;
export const mostNeeds = 20;

/** Calls at the same time. */
export const mostAtOnce = 4;
/** Calls in a minute, and of them those that change something. */
export const callsPerMinute = 120;
export const changesPerMinute = 30;

/** Rows of a list, and what is shown of one text at a time. */
export const usualRows = 25;
export const mostRows = 100;
export const longestCell = 160;
export const shownText = 8000;
export const shownLines = 40;
/** Of each part of a task, where all of them are shown. */
export const shownEach = 10;
