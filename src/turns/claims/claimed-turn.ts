import type { Turn } from '../turn.entity.js';
import type { Claim } from '../turn.repository.js';

/** A turn as its owner holds it. */
export interface ClaimedTurn {
  turn: Turn;
  claim: Claim;
}
