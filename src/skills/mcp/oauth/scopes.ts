import { computeScopeUnion, isStrictScopeSuperset } from '@modelcontextprotocol/client';

import type { Challenge } from '../client/http-link.js';
import type { Parties, Tokens } from './oauth-flow.js';

/** RFC 6749, appendix A.4. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** Of all that is asked for at one server, which can name ever new ones. */
const MAX_CHARACTERS = 2_000;

/** What a sign-in has asked for, and got. */
interface Asked {
  challenge: Challenge;
  parties: Parties | null;
  tokens: Tokens | null;
  /** What calls have lacked since. */
  lacking?: string | undefined;
}

/** The scopes that a server names, as they are sent; null: none that can be asked for. */
export function readScope(text: string): string | null {
  const scope = computeScopeUnion(text) ?? '';
  const isFine = scope.length <= MAX_CHARACTERS && scope.split(' ').every((one) => SCOPE.test(one));
  return isFine ? scope : null;
}

/** What calls have lacked so far, and `scope` besides; the same as before once that would be too much. */
export function lackedBy({ lacking }: Asked, scope: string): string {
  const all = computeScopeUnion(lacking, scope) ?? '';
  return all.length > MAX_CHARACTERS ? (lacking ?? '') : all;
}

/**
 * What the next sign-in asks for: the scopes of the last one, those that were granted, and `lacking`. Tokens with the new
 * scopes alone would shut out the tools that are in use.
 */
export function widerChallenge(grant: Asked, lacking = grant.lacking): Challenge {
  const { challenge, tokens } = grant;
  if (lacking === undefined) return challenge;
  return { ...challenge, scope: computeScopeUnion(askedScope(grant), tokens?.scope, lacking) };
}

/** Whether some of `lacking` was never asked for, nor refused, and all together is not too much. */
export function mayAskFor(lacking: string, grant: Asked): boolean {
  const { scope = '' } = widerChallenge(grant, lacking);
  const known = computeScopeUnion(askedScope(grant), grant.lacking);
  return scope.length <= MAX_CHARACTERS && isStrictScopeSuperset(lacking, known);
}

function askedScope({ challenge, parties }: Asked): string | undefined {
  return challenge.scope ?? parties?.discovery.resourceMetadata?.scopes_supported?.join(' ');
}
