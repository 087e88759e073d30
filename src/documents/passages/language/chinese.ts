import { simplifiedPairs } from '../../../common/text/simplified-chinese.js';

const traditional = new Set(simplifiedPairs.map(([before]) => before));
const simplified = new Set(simplifiedPairs.map(([, after]) => after));

/** In which of the two ways a Chinese text is written; `zh` when nothing tells. */
export const chineseOf = (text: string): 'zh' | 'zh-Hans' | 'zh-Hant' => {
  let balance = 0;
  for (const character of text) {
    if (traditional.has(character)) balance += 1;
    else if (simplified.has(character)) balance -= 1;
  }
  if (balance === 0) return 'zh';
  return balance > 0 ? 'zh-Hant' : 'zh-Hans';
};
