/** The public interface. Nothing else of the package may be imported. */
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
