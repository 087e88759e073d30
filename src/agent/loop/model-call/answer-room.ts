/** Of a window, what an answer may take at most: in a small one the prompt needs the rest. */
const MOST_SHARE = 1 / 3;

/** What the answer is to have of a window: `maxOutputTokens`, or its share where that is less. */
export const answerTokensIn = (windowTokens: number, maxOutputTokens: number): number =>
  Math.min(maxOutputTokens, Math.floor(MOST_SHARE * windowTokens));

/** The window that leaves so much to a prompt. */
export const windowFor = (promptTokens: number, maxOutputTokens: number): number =>
  promptTokens + Math.min(maxOutputTokens, Math.floor((promptTokens * MOST_SHARE) / (1 - MOST_SHARE)));
