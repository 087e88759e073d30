import { singleLine } from '../../../common/text/data-text.js';
import { onlyTellingWordsOf } from '../../../search/question/stop-words.js';
import type { PromptState } from '../prompt/prompt.js';

const MOST_QUERY = 1_000;
/** What is shorter leaves out what it is about, when something was asked before it: words, or characters of Chinese. */
const FEW_WORDS = 5;
const FEW_HAN = 9;
const MOST_OPENED = 150;

const opening =
  /^\W*(?:et|mais|puis|and|but|then|what about|how about|y(?! a )|pero|entonces)\b|^\s*(?:那|再|還有|还有|以及|另外|而)|呢[？?]?\s*$/iu;

/** What to search for when the model does not say: the question, and the one before it where that is what it goes on from. */
export const questionQuery = ({ question, history }: Pick<PromptState, 'question' | 'history'>): string => {
  const asked = singleLine(question, MOST_QUERY);
  if (!goesOn(asked)) return asked;
  const earlier = history.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const before =
    earlier.findLast((text) => !goesOn(text)) ??
    earlier.findLast((text) => !isOpened(text) && onlyTellingWordsOf(text) !== '') ??
    '';
  if (before === '') return asked;
  return singleLine(`${singleLine(before, MOST_QUERY / 2)} ${asked}`, MOST_QUERY);
};

/** Whether a question is too short, or opened like one, that only what was said before tells what it is about. */
const goesOn = (text: string): boolean => {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const isShort = han > 0 ? han <= FEW_HAN : words <= FEW_WORDS;
  return isShort || isOpened(text);
};

const isOpened = (text: string): boolean => opening.test(text) && text.length <= MOST_OPENED;
