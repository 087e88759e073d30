/** What the package is for others: nothing else of it is imported. */
export { rankMentions } from './mentions.js';
export { keysOf, keysOfMessage, type MessageKey, readMessage } from './name-keys.js';
export { type Name, namesOf } from './names.js';
