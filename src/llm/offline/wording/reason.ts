import { sentencesOf } from '../reading/read.js';

/** A result may tell the model what to do next, which is not for the reader of its answer. */
const toTheModel =
  /^(?:Ne (?:suppose|le redemande|fais)|N'en |Dis-le|Réponds|Refais|Sers-toi|Il est refusé|Do not|Say so|Make the call|Assume|It is refused|No (?:des|vuelvas|escribas)|Dilo|Usa |Repite|Se rechaza|不要|請用正確|請在回答|請使用已有|如果有影響)/;

/** Why something failed, for a person. */
export function readersReason(reason: string): string {
  const told = sentencesOf(reason).filter((sentence) => !toTheModel.test(sentence));
  return told.length === 0 ? reason : told.join(/\p{Script=Han}/u.test(reason) ? '' : ' ');
}
