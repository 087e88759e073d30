/** Close codes of sockets: RFC 6455 and its registry. Those of graphql-ws are its own. */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;
