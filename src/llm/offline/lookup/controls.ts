/** A planner's decisions, which the agent's loop offers as tools. */
export const SYNTHESIZE = 'synthesize_answer';
export const CONTINUE_IN_BACKGROUND = 'continue_in_background';

const controls: ReadonlySet<string> = new Set([SYNTHESIZE, CONTINUE_IN_BACKGROUND]);

export const isControl = (name: string): boolean => controls.has(name);
