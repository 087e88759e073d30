import type { Reading } from '../reading/read.js';

const draft =
  /\b(?:borrador(?:es)?|estructuras?|plantillas?|modelos?|esquemas?|clausulas?|brouillons?|canevas|trames?|modeles?|structures?|clauses?|drafts?|outlines?|templates?)\b|草稿|草擬|架構|結構|範本|條款/;
const another =
  /\b(?:necesito|quiero|quisiera|preparame|prepara|prepare|hazme|il me faut|j'ai besoin|je (?:veux|voudrais)|i (?:need|want)|i'd like)\b|需要|想要/;
/** «Un contrato de arras»: another document than the one that was spoken of. */
const anotherDocument =
  /\b(?:una?|otr[oa]|une?|an?|another) (?:contrato|escritura|acta|poder|contrat|acte|contract|deed)\b/;
/** «Contrato de arras», «ahora la hipoteca», «la hipoteca también», «redacta la hipoteca» */
const turning =
  /^\W*(?:y |et |and )?(?:ahora|despues|luego|a continuacion|pasemos|maintenant|ensuite|puis|passons|now|then|next)\b|^\W*(?:(?:el|la|le|the) |l')?(?:contrato|escritura|acta|poder|contrat|acte|contract|deed)\b|\b(?:tambien|aussi|too|as well)\W*$|\b(?:por favor|please|svp|s'il (?:te|vous) plait)\b|\b(?:redact\w+|redig\w+|escrib\w+|write|draw up|haz|fais|faites|make)\b|接下來|再來|撰寫|請|麻煩/;

/** «Redacta el borrador»: the document itself, as far as it goes. */
export const asksForDraft = ({ folded }: Pick<Reading, 'folded'>): boolean => draft.test(folded);

export const asksForAnother = (folded: string): boolean => another.test(folded);

export const namesAnother = (folded: string): boolean => anotherDocument.test(folded);

/** Whether a text only tells something, and asks for nothing. */
export const onlyTells = (folded: string): boolean =>
  !/[?？]/u.test(folded) && ![draft, another, anotherDocument, turning].some((each) => each.test(folded));
