import { z } from 'zod';

import type { TurnEntry } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';

export const TurnAddress = z.object({ companyId: z.uuid(), turnId: z.uuid() });
export type TurnAddress = z.output<typeof TurnAddress>;

/** Proof of ownership that comes with every write to a turn. Writes of an older attempt are refused. */
export interface Claim {
  companyId: string;
  turnId: string;
  attempt: number;
}

/** The kinds of turns that a runner has room for. */
export interface Room {
  /** Whether it has room for turns in the background. */
  background: boolean;
}

/** How many turns of each kind a runner has room for. Background turns do not use foreground places. */
export interface Places {
  foreground: number;
  background: number;
}

/** A turn that no process runs. */
export interface UnattendedTurn extends TurnAddress {
  inBackground: boolean;
  /** Whether more such turns of its company wait behind it. */
  isFollowed: boolean;
}

export interface ClaimedTurn {
  turn: Turn;
  claim: Claim;
  /** Seconds in the background, or else since the start, without idle times. By the database's clock only. */
  phaseSeconds: number;
  /** The first events of a turn that was created for this process. They are not published yet. */
  opening?: readonly TurnEntry[];
  /** The start of the claim, in milliseconds since 1970. Absent: the turn was created for this process. */
  claimBeganAt?: number;
}
