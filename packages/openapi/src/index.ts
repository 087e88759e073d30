/** The public interface. Nothing else of the package may be imported. */
export {
  type ArgumentPlace,
  argumentPlaces,
  HEADER_NAME,
  httpBodies,
  type HttpBody,
  type HttpMethod,
  httpMethods,
  isTakenHeader,
  type Placement,
  type SecretPlace,
} from './http-call.js';
export {
  BadDocument,
  credentialsOf,
  type OpenApiDocument,
  readDocument,
  saidServerOf,
  serverOf,
} from './openapi-document.js';
export { type ImportableOperation, MAX_OPERATIONS, operationsOf } from './openapi-operations.js';
export { BadTemplate, readTemplate } from './url-template.js';
