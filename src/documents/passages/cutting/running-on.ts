import type { BlockKind } from './blocks.js';

/** A paragraph that is shorter may be a caption, or what stands at the foot of every page. */
const LEAST_CHARACTERS = 40;

const ENDED = /[.!?…:。！？：]["'”’»」』）)\]]*$/u;
const GOES_ON = /^[\p{Ll}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}(“"«]/u;
const HAS_NO_CASE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}，、]$/u;
const HAS_CASE_START = /^\p{Ll}/u;

/** Whether a paragraph at the end of a page goes on at the beginning of the next. */
export const runsOn = (before: string, after: string): boolean => {
  const [head, tail] = [before.trimEnd(), after.trimStart()];
  if (head.length < LEAST_CHARACTERS || ENDED.test(head) || !GOES_ON.test(tail)) return false;
  return HAS_CASE_START.test(tail) || HAS_NO_CASE.test(head);
};

const BOLD_LINE = /^(?:\*\*|__)[^\n]{1,200}(?:\*\*|__)$/u;
const ASKS = /[?？:：؟]["'”’»」』）)\]*_]*$/u;

/** Whether a short paragraph says what comes next, as a question or a line in bold does. */
export const leadsOn = (kind: BlockKind, text: string, isShort: boolean): boolean =>
  kind === 'paragraph' && isShort && (ASKS.test(text.trimEnd()) || BOLD_LINE.test(text.trim()));
