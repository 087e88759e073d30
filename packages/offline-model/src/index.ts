/** The public interface. Nothing else of the package may be imported. */
export { type OfflineModel, type OfflineModelOptions, start } from './server.js';
