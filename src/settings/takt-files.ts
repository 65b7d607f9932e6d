/** Settings of the tool that the queue's format comes from. Apart from their reader, so that looking for them loads nothing. */
export const taktFiles = ['.takt/agents.yaml', '.takt/debug.yaml'] as const;
