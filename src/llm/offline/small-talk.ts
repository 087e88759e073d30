import { wordsOf } from './reading/words/fold.js';
import type { Reading } from './reading/read.js';

const longestSmallTalk = 6;
const longestText = 80;

const smallTalk = {
  thanks: /^\W*(?:merci|thanks|thank you|gracias|muchas gracias)\b|^(?:謝謝|感謝)/,
  greeting:
    /^\W*(?:bonjour|bonsoir|salut|coucou|hello|hi|hey|good (?:morning|afternoon|evening)|hola|buen[oa]s (?:dias|tardes|noches)|(?:comment )?ca va|comment (?:vas-tu|allez-vous)|how are you|que tal|como esta[s]?)\b|^(?:你好|您好|早安|哈囉)/,
  /** «Où en est ma recherche ?», «annule la recherche» */
  progress:
    /^\W*(?:annule[rz]?|arrete[rz]?|stoppe[rz]?|abandonne[rz]?|cancel|stop|cancela\w*|deten\w*)\b.{0,20}\b(?:recherche|analyse|calcul|search|research|analysis|busqueda|analisis|calculo)\b|^\W*(?:ou en (?:est|sont)|how far|como va)\b.{0,20}\b(?:recherche|analyse|calcul|search|research|analysis|busqueda|analisis|calculo)s?\b|^(?:取消|停止).{0,4}(?:搜尋|查詢|分析)/,
  identity:
    /\b(?:qui (?:es-tu|etes-vous)|tu es qui|who are you|quien eres|quien es usted|que (?:peux-tu|pouvez-vous|sais-tu|savez-vous) faire|a quoi (?:sers-tu|servez-vous)|what can you do|que (?:puedes|sabes|puede|sabe) hacer|aide|help|ayuda)\b|你是誰|您是誰|你會什麼|你可以做什麼/,
};

export const isShort = ({ folded }: Reading): boolean => wordsOf(folded).length <= longestSmallTalk;

/** What kind of small talk a message is; null for one that asks for something. */
export function smallTalkIn(reading: Reading): keyof typeof smallTalk | null {
  if (!isShort(reading) || reading.folded.length > longestText) return null;
  if (smallTalk.thanks.test(reading.folded)) return 'thanks';
  if (smallTalk.progress.test(reading.folded)) return 'progress';
  if (smallTalk.identity.test(reading.folded)) return 'identity';
  const isGreeting = smallTalk.greeting.test(reading.folded) && !reading.meanings.some(({ known }) => known);
  return isGreeting ? 'greeting' : null;
}

/** A greeting with a question behind it is a question. */
export const isSmallTalk = (reading: Reading): boolean => smallTalkIn(reading) !== null;
