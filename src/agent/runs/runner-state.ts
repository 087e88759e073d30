/** The phases of a process: it takes turns, lets running ones end, hands them over, or leaves without waiting. */
export type Phase = 'OPEN' | 'DRAINING' | 'HANDING_OVER' | 'LEAVING';

/**
 * The state of the search for unattended turns. CROWDED: some wait for room. LOOKING_PAST_SOME: meanwhile some came for
 * whom there is no room. LOOKING_TOO_EARLY: there is room for one that the look may have missed, so it is repeated.
 */
export type Search =
  'IDLE' | 'CROWDED' | 'LOOKING' | 'LOOKING_FOR_CROWD' | 'LOOKING_PAST_SOME' | 'LOOKING_TOO_EARLY';

/**
 * TURNED_DOWN: there was no room for a turn. PUT_BEHIND: there was, but earlier ones come first. MORE_WAIT: a look may not
 * have found all, or not have found room for all.
 */
export type SearchEvent =
  'TURNED_DOWN' | 'PUT_BEHIND' | 'ROOM_FREED' | 'LOOK_BEGAN' | 'ALL_FOUND' | 'MORE_WAIT';

/** The transitions of the search. Others change nothing. */
const searches: Readonly<Record<Search, Partial<Record<SearchEvent, Search>>>> = {
  IDLE: { TURNED_DOWN: 'CROWDED', LOOK_BEGAN: 'LOOKING' },
  CROWDED: { LOOK_BEGAN: 'LOOKING_FOR_CROWD' },
  LOOKING: { TURNED_DOWN: 'LOOKING_PAST_SOME', ALL_FOUND: 'IDLE', MORE_WAIT: 'CROWDED' },
  LOOKING_FOR_CROWD: {
    TURNED_DOWN: 'LOOKING_PAST_SOME',
    PUT_BEHIND: 'LOOKING_TOO_EARLY',
    ROOM_FREED: 'LOOKING_TOO_EARLY',
    ALL_FOUND: 'IDLE',
    MORE_WAIT: 'CROWDED',
  },
  LOOKING_PAST_SOME: {
    PUT_BEHIND: 'LOOKING_TOO_EARLY',
    ROOM_FREED: 'LOOKING_TOO_EARLY',
    ALL_FOUND: 'CROWDED',
    MORE_WAIT: 'CROWDED',
  },
  LOOKING_TOO_EARLY: { ALL_FOUND: 'CROWDED', MORE_WAIT: 'CROWDED' },
};

export function searchAfter(search: Search, event: SearchEvent): Search {
  return searches[search][event] ?? search;
}

export function isLooking(search: Search): boolean {
  return search !== 'IDLE' && search !== 'CROWDED';
}

/** Whether earlier turns still wait. */
export function isCrowded(search: Search): boolean {
  return search !== 'IDLE' && search !== 'LOOKING';
}

/** What a look saw of the line of waiting turns. */
export interface SeenLine {
  /** Whether more turns of these companies wait. */
  companies: ReadonlyMap<string, boolean>;
  /** Whether it saw all of the line. */
  isWhole: boolean;
  /** Whether one found no place any more, because new turns had taken it. */
  isOvertaken: boolean;
}

/** The line of turns that wait for room, by company, as far as this process knows. */
export class WaitingLine {
  private readonly companies = new Set<string>();
  /** Of turns that were turned down since the last look began, which may not have seen them. */
  private readonly turnedDown = new Set<string>();
  private isOvertaken = false;

  /** Whether a new turn has to wait for others: for those of its company, or once for all that were overtaken. */
  isBefore(companyId: string): boolean {
    return this.isOvertaken || this.companies.has(companyId) || this.turnedDown.has(companyId);
  }

  add(companyId: string): void {
    this.turnedDown.add(companyId);
  }

  onLookBegun(): void {
    for (const companyId of this.turnedDown) this.companies.add(companyId);
    this.turnedDown.clear();
  }

  onLookEnded({ companies, isWhole, isOvertaken }: SeenLine): void {
    if (isWhole) this.companies.clear();
    for (const [companyId, isWaiting] of companies) {
      if (isWaiting) this.companies.add(companyId);
      else this.companies.delete(companyId);
    }
    this.isOvertaken = isOvertaken;
  }
}

/** The state of a turn in this process. CLAIMING_AGAIN: the claim is repeated, as the current one may be too early. */
export type TurnState = 'CLAIMING' | 'CLAIMING_AGAIN' | 'RUNNING' | 'FAILED' | 'GONE';

/** OFFERED: the turn waits again. REFUSED: somebody else has it, or it no longer waits. */
export type TurnStateEvent = 'OFFERED' | 'CLAIMED' | 'REFUSED' | 'BROKE_OFF';

const turnStates: Readonly<Record<TurnState, Partial<Record<TurnStateEvent, TurnState>>>> = {
  CLAIMING: { OFFERED: 'CLAIMING_AGAIN', CLAIMED: 'RUNNING', REFUSED: 'GONE', BROKE_OFF: 'FAILED' },
  CLAIMING_AGAIN: { CLAIMED: 'RUNNING', REFUSED: 'CLAIMING', BROKE_OFF: 'FAILED' },
  RUNNING: { BROKE_OFF: 'FAILED' },
  FAILED: {},
  GONE: {},
};

export function turnStateAfter(state: TurnState, event: TurnStateEvent): TurnState {
  return turnStates[state][event] ?? state;
}

export type PlaceKind = 'foreground' | 'background';

/** A company may take a place while it has fewer than this many times the free ones. */
const SHARE_OF_FREE = 4;

/** No company can take all places: of 50, one alone gets 40, two get 22 or 23 each. Fewer than five are not divided. */
export class RunnerPlaces {
  private readonly taken = { foreground: new Map<string, number>(), background: new Map<string, number>() };
  /** Foreground claims whose turn may be in the background. */
  private undecided = 0;

  constructor(
    private readonly most: { foreground: number; background: number },
    private readonly isOpen: () => boolean,
  ) {}

  get foreground(): number {
    return this.free('foreground');
  }

  get background(): number {
    return this.free('background');
  }

  /** Free background places for new claims, so that concurrent claims do not count on the same place. */
  get unclaimedBackground(): number {
    return this.background - this.undecided;
  }

  get areAllFree(): boolean {
    return this.taken.foreground.size + this.taken.background.size === 0;
  }

  hasRoomFor(kind: PlaceKind, companyId: string): boolean {
    const free = this.free(kind);
    return free > 0 && (this.taken[kind].get(companyId) ?? 0) < SHARE_OF_FREE * free;
  }

  /** The same for the background, without places that claims count on. */
  hasUnclaimedBackgroundFor(companyId: string): boolean {
    return this.unclaimedBackground > 0 && this.hasRoomFor('background', companyId);
  }

  /** Takes a foreground place for a turn that is being created. Returns a function that gives it back, and says whether it did. */
  reserve(companyId: string): () => boolean {
    this.take('foreground', companyId);
    return once(() => this.release('foreground', companyId));
  }

  /** Counts on a background place for a claim, until its turn is known. */
  leaveUndecided(): () => void {
    this.undecided += 1;
    return once(() => (this.undecided -= 1));
  }

  take(kind: PlaceKind, companyId: string): void {
    const taken = this.taken[kind];
    taken.set(companyId, (taken.get(companyId) ?? 0) + 1);
  }

  release(kind: PlaceKind, companyId: string): void {
    const taken = this.taken[kind];
    const left = (taken.get(companyId) ?? 0) - 1;
    if (left > 0) taken.set(companyId, left);
    else taken.delete(companyId);
  }

  private free(kind: PlaceKind): number {
    if (!this.isOpen()) return 0;
    return [...this.taken[kind].values()].reduce((free, taken) => free - taken, this.most[kind]);
  }
}

/** Returns whether it was done by this call. */
function once(work: () => void): () => boolean {
  let isDone = false;
  return () => {
    if (isDone) return false;
    isDone = true;
    work();
    return true;
  };
}
