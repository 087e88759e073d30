import { computeScopeUnion, isStrictScopeSuperset } from '@modelcontextprotocol/client';

import type { Challenge } from '../client/http-link.js';
import type { Parties, Tokens } from './oauth-flow.js';

/** RFC 6749, appendix A.4. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** The limit for all requested scopes of a server, which may name new ones endlessly. */
const MAX_CHARACTERS = 2_000;

interface Asked {
  challenge: Challenge;
  parties: Parties | null;
  tokens: Tokens | null;
  /** Scopes that calls lacked since then. */
  lacking?: string | undefined;
}

/** The scopes of a server in their sent form. Null: none that can be requested. */
export function readScope(text: string): string | null {
  const scope = computeScopeUnion(text) ?? '';
  const isFine = scope.length <= MAX_CHARACTERS && scope.split(' ').every((one) => SCOPE.test(one));
  return isFine ? scope : null;
}

/** The missing scopes so far, and `scope`. Unchanged if that would be too much. */
export function lackedBy({ lacking }: Asked, scope: string): string {
  const all = computeScopeUnion(lacking, scope) ?? '';
  return all.length > MAX_CHARACTERS ? (lacking ?? '') : all;
}

/**
 * The scopes for the next sign-in: those of the last one, granted ones, and `lacking`. With only the new scopes,
 * tokens would not work for the tools in use.
 */
export function widerChallenge(grant: Asked, lacking = grant.lacking): Challenge {
  const { challenge, tokens } = grant;
  if (lacking === undefined) return challenge;
  return { ...challenge, scope: computeScopeUnion(askedScope(grant), tokens?.scope, lacking) };
}

/** Whether some of `lacking` was never requested or refused, and the total is not too much. */
export function mayAskFor(lacking: string, grant: Asked): boolean {
  const { scope = '' } = widerChallenge(grant, lacking);
  const known = computeScopeUnion(askedScope(grant), grant.lacking);
  return scope.length <= MAX_CHARACTERS && isStrictScopeSuperset(lacking, known);
}

function askedScope({ challenge, parties }: Asked): string | undefined {
  return challenge.scope ?? parties?.discovery.resourceMetadata?.scopes_supported?.join(' ');
}
