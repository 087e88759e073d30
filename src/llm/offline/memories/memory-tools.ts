/** The skills of the product that write and read memories. */
export const REMEMBER = 'remember';
export const RECALL = 'recall';
export const FORGET_MEMORY = 'forget_memory';

const own: ReadonlySet<string> = new Set([REMEMBER, RECALL, FORGET_MEMORY]);

export const isMemoryTool = (name: string): boolean => own.has(name);
