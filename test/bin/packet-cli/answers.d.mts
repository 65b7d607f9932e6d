export function roleIn(prompt: string): string;
export function answerOf(role: string): string;
