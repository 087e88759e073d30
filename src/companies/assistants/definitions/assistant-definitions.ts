import type { AssistantDefinition } from '../assistant-definition.js';
import { bibliotheque } from './bibliotheque.js';
import { explorateur } from './explorateur.js';
import { solven } from './solven.js';
import { therese } from './therese.js';

/** The assistants that come with the product itself; packages bring others. */
export const assistantDefinitions: readonly AssistantDefinition[] = [
  therese,
  explorateur,
  solven,
  bibliotheque,
];
