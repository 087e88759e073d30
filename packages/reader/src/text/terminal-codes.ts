/** ECMA-48: colours, cursor movements, window titles, character sets. */
const CODES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()][0-9A-Z]|[=>78])/g;

/** Terminal output without control sequences. */
export function withoutTerminalCodes(text: string): string {
  return text.includes('\x1b') ? text.replaceAll(CODES, '') : text;
}
