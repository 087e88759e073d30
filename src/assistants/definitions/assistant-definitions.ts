import type { AssistantDefinition } from '../assistant-definition.js';
import { bibliotheque } from './bibliotheque.js';
import { explorateur } from './explorateur.js';
import { mefali } from './mefali.js';
import { solven } from './solven.js';
import { therese } from './therese.js';

/** The assistants every company has from the start. */
export const assistantDefinitions: readonly AssistantDefinition[] = [
  mefali,
  therese,
  explorateur,
  solven,
  bibliotheque,
];
