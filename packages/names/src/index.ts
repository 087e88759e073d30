/** The public interface. Nothing else of the package may be imported. */
export { rankMentions } from './mentions.js';
export { keysOf, keysOfMessage, type MessageKey, readMessage } from './name-keys.js';
export { type Name, namesOf } from './names.js';
