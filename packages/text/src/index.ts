/** The public interface. Nothing else of the package may be imported. */
export { cutAtWord } from './cut-at-word.js';
export {
  isPlain,
  isSeen,
  line,
  lines,
  plainLine,
  quotation,
  shortened,
  singleLine,
  withoutEndOf,
  withoutHidden,
} from './data-text.js';
export { folded, withoutAccents } from './folded-text.js';
export { literalPattern } from './literal-pattern.js';
export { byKey, compare } from './order.js';
export { isOffTheRecord } from './off-the-record.js';
export { isTableRow, isTableRule, withPlainTables } from './plain-tables.js';
export { holdsSecret } from './secret-text.js';
export { shownJson } from './shown-json.js';
export { detectLanguage } from './text-language.js';
export { namedAddresses, normalAddress } from './web-addresses.js';
