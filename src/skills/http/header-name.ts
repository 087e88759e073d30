/** What HTTP lets a header be called, at a length that is of use. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
