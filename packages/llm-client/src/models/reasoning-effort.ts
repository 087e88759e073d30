import { type ReasoningEffort, reasoningEfforts } from '../chat-model.js';

/**
 * Of the efforts that a model knows, from least to most, the greatest that is not above the wanted one, or its least. Null:
 * nobody knows which it knows, and the wanted one is tried. Undefined: it cannot be told.
 */
export function nearestEffort(
  wanted: ReasoningEffort,
  known: readonly ReasoningEffort[] | null,
): ReasoningEffort | undefined {
  if (known === null) return wanted;
  const most = reasoningEfforts.indexOf(wanted);
  return known.findLast((effort) => reasoningEfforts.indexOf(effort) <= most) ?? known[0];
}
