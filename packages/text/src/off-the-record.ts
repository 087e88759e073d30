import { folded } from './folded-text.js';
import { holdsSecret } from './secret-text.js';

// The start of a request, as opposed to "je ne retiens pas les noms" or "I don't remember".
const begins = String.raw`(?:^|[.!?;:,()«»"\n–—-]\s?|(?<![\p{L}\d])(?:et|mais|donc|surtout|alors|merci de|veux que tu|stp|svp|plait|and|but|so|please|y|pero|por favor|favor de)\s)`;

const requests: readonly RegExp[] = [
  new RegExp(
    String.raw`${begins}(?:surtout )?n(?:e |')(?:surtout )?(?:le |la |les |l'|en |me )?(?:(?:retien|note|memorise|enregistre|rete)\p{L}* (?:surtout )?(?:pas|rien|jamais|aucun)|garde\p{L}* (?:pas|rien|jamais|aucun)[^.!?]{0,40}?(?:memoire|trace|note))(?!\p{L})`,
    'u',
  ),
  new RegExp(
    String.raw`${begins}ne (?:pas|rien|jamais) (?:le |la |les |l'|en )?(?:retenir|noter|memoriser|enregistrer)(?!\p{L})`,
    'u',
  ),
  new RegExp(
    String.raw`${begins}(?:do not|don't|dont|never) (?:ever |please )?(?:remember|note|record|memori[sz]e|store|save|(?:keep|make|take) (?:a |any )?(?:notes?|records?)(?: of)?|keep|write) (?:down )?(?:this|that|it|any\p{L}*|what|my|of|the following)(?!\p{L})`,
    'u',
  ),
  /(?<![\p{L}\d])(?:this is |is |that's |it's |strictly )?off the record(?!\p{L})/u,
  new RegExp(
    String.raw`${begins}(?:que )?no (?:me |te |lo |la |los |las )?(?:recuerdes?|anotes?|apuntes?|guardes?|memorices?|registres?|retengas?)(?!\p{L})`,
    'u',
  ),
  /(?:不要|不用|不必|別|别|請勿|请勿|切勿)(?:幫我|帮我|替我|把.{1,12}?)?(?:記(?!得)|记(?!得)|儲存|保存|留存)/u,
];

/** True if it has a secret, or asks in French, English, Spanish or Chinese not to be remembered. */
export function isOffTheRecord(text: string): boolean {
  if (holdsSecret(text)) return true;
  const words = folded(text);
  return requests.some((request) => request.test(words));
}
