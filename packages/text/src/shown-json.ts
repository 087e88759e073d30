/** One or two joiners or variation selectors are normal. Longer rows encode hidden text. */
export const hiddenRows = /(?:\p{Join_Control}|\p{Variation_Selector}){3,}/gu;
/** Characters that nobody sees, or that make the text around them look otherwise. JSON escapes the other controls. */
const hidden =
  /(?!\p{Join_Control}|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}\u007f-\u009f\u2028\u2029]/gu;

/** JSON in which everything can be seen: what hides is escaped, which means the same. `indent`: blanks a level. */
export function shownJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(hidden, escaped).replaceAll(hiddenRows, escaped);
}

function escaped(characters: string): string {
  return characters.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
