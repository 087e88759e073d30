/** ECMA-48: colours and places of the cursor, titles of windows, sets of characters. */
const CODES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()][0-9A-Z]|[=>78])/g;

/** What a program wrote to a terminal, without what that only shows it with. */
export function withoutTerminalCodes(text: string): string {
  return text.includes('\x1b') ? text.replaceAll(CODES, '') : text;
}
