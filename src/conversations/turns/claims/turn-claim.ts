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

/** Which turns a runner has room for. */
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
}

export interface ClaimedTurn {
  turn: Turn;
  claim: Claim;
  /** In the background if it is there, else since it started: by the database's clock alone, in seconds. */
  phaseSeconds: number;
  /** Its first events, of one that was created for this process: nobody was shown them yet. */
  opening?: readonly TurnEntry[];
  /** When claiming it began, in milliseconds since 1970; left out: it was created for this process. */
  claimBeganAt?: number;
}
