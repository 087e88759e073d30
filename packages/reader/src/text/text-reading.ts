/** The pieces of a text as Markdown, and at the end what is to be said of them, in sentences for people. */
export type TextReading = Generator<string, string[]>;
