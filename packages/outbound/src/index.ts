/** What the package is for others: nothing else of it is imported. */
export { ConnectionGuard } from './connection-guard.js';
export {
  OutboundError,
  type OutboundErrorCode,
  OutboundHttp,
  type OutboundMethod,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  type OutboundStreamRequest,
} from './outbound-http.js';
export { readUrl } from './outbound-request.js';
export { type Around, UndiciOutboundHttp } from './undici-outbound-http.js';
