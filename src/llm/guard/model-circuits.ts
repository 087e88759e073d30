import type { ModelCircuit } from './guarded-chat-model.js';

/** How it stands with the configured models, for those who look after the server. The class is the injection token. */
export abstract class ModelCircuits {
  /** The usual one first, then the fallback if there is one. */
  abstract list(): ModelCircuit[];
}
