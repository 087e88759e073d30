/** An error that quotes another system. Its words are for the log alone, and the thrower has taken secrets out. */
export abstract class QuotingError extends Error {
  abstract readonly detail?: string | undefined;
}
