/** The pieces of a text as Markdown. Returns the warnings, as sentences for people. */
export type TextReading = Generator<string, string[]>;
