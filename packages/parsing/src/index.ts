/** The public interface. Nothing else of the package may be imported. */
export { type JsonExcess, JsonScan } from './json-scan.js';
export { type OnThread, parseInThread, Unparsable } from './parse-in-thread.js';
