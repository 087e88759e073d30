/** The part of the public interface that browsers can load: it needs nothing of Node. */
export { shownJson } from './shown-json.js';
export { normalAddress } from './web-addresses.js';
