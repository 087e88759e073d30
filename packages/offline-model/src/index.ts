/** What the package is for others: nothing else of it is imported. */
export { type OfflineModel, type OfflineModelOptions, start } from './server.js';
