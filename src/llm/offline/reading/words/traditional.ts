import { simplifiedPairs } from '../../../../common/text/simplified-chinese.js';

const traditionalOf = new Map(simplifiedPairs.map(([traditional, simplified]) => [simplified, traditional]));

/** A text to be compared: both ways of writing Chinese look the same in it. As long as the text it was given. */
export const asTraditional = (text: string): string =>
  text.replace(/\p{Script=Han}/gu, (character) => traditionalOf.get(character) ?? character);
