/** The words in which a call over HTTP is described. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export const httpBodies = ['JSON', 'FORM'] as const;
export type HttpBody = (typeof httpBodies)[number];

/** BODY: one field of the body. WHOLE_BODY: all of it. */
export const argumentPlaces = ['QUERY', 'HEADER', 'BODY', 'WHOLE_BODY'] as const;
export type ArgumentPlace = (typeof argumentPlaces)[number];

/** Where an argument goes when it is not the default place, and its name there. */
export interface Placement {
  argument: string;
  in: ArgumentPlace;
  name: string;
}

/** Where a secret goes in a request. */
export interface SecretPlace {
  in: 'HEADER' | 'QUERY';
  name: string;
}

/** A header's name by RFC 9110, limited to a useful length. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** Headers that the connection or the call sets, and others that callers must not set. */
const takenHeaders = new Set(
  (
    'host content-length content-type content-encoding transfer-encoding connection keep-alive upgrade te trailer ' +
    'expect proxy-authorization accept-encoding idempotency-key'
  ).split(' '),
);

/** Whether a caller cannot set the header of this name. */
export function isTakenHeader(name: string): boolean {
  return takenHeaders.has(name.toLowerCase());
}
