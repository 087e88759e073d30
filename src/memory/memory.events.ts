import { defineEvent } from '../platform/events/domain-events.js';
import type { Memory } from './memory.entity.js';

/** These versions are erased. Listeners erase stored copies of their content. */
export const memoriesForgotten = defineEvent<readonly Memory[]>('memories.forgotten');
