import { RE2JS } from 're2js';

const MAX_PATTERN_CHARACTERS = 1_000;

/** A pattern that cannot be used, in words for its author. */
export class UnusablePattern extends Error {
  override readonly name = 'UnusablePattern';
}

/**
 * A regular expression that takes no longer than its text is long, whatever it says: JavaScript's own can take for
 * ever. It knows neither look-around nor back references. Throws UnusablePattern.
 */
export const linearPattern = (pattern: string): { test(text: string): boolean } => {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw new UnusablePattern(`A pattern is at most ${MAX_PATTERN_CHARACTERS} characters long.`);
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new UnusablePattern(
      `The pattern ${pattern} is not valid, or has look-around or back references, which are not known here.`,
      { cause: error },
    );
  }
};

/** For Ajv's option `code.regExp`. */
export const linearPatterns = Object.assign(linearPattern, { code: 'linearPattern' });
