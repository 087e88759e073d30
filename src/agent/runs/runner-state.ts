/** What becomes of the turns of this process: it takes some, lets those it has end, has others go on, waits for none. */
export type Phase = 'OPEN' | 'DRAINING' | 'HANDING_OVER' | 'LEAVING';

/** How the search for turns stands that nobody attends to. CROWDED: some wait that there was no room for. */
export type Search = 'IDLE' | 'CROWDED' | 'LOOKING' | 'LOOKING_FOR_CROWD' | 'LOOKING_TOO_EARLY';

/** TURNED_DOWN: there was no room for a turn. MORE_WAIT: a look has found as many as it had asked for. */
export type SearchEvent = 'TURNED_DOWN' | 'ROOM_FREED' | 'LOOK_BEGAN' | 'ALL_FOUND' | 'MORE_WAIT';

/** What an event makes of the search; of one that is not named, nothing. */
const searches: Readonly<Record<Search, Partial<Record<SearchEvent, Search>>>> = {
  IDLE: { TURNED_DOWN: 'CROWDED', LOOK_BEGAN: 'LOOKING' },
  CROWDED: { LOOK_BEGAN: 'LOOKING_FOR_CROWD' },
  // A look that was under way when a turn was turned down, or when room came to a crowd, may have come too early.
  LOOKING: { TURNED_DOWN: 'LOOKING_TOO_EARLY', ALL_FOUND: 'IDLE', MORE_WAIT: 'CROWDED' },
  LOOKING_FOR_CROWD: {
    TURNED_DOWN: 'LOOKING_TOO_EARLY',
    ROOM_FREED: 'LOOKING_TOO_EARLY',
    ALL_FOUND: 'IDLE',
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

/** Whether turns wait that were there before those who come now. */
export function isCrowded(search: Search): boolean {
  return search !== 'IDLE' && search !== 'LOOKING';
}

/** What this process does with one turn. CLAIMING_AGAIN: its claim is repeated, as the one under way may be too early. */
export type TurnState = 'CLAIMING' | 'CLAIMING_AGAIN' | 'RUNNING' | 'FAILED' | 'GONE';

/** OFFERED: the turn waits once more. REFUSED: it is somebody else's, or waits no more. */
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

/** A company takes a place while it has fewer than so many times those that are free. */
const SHARE_OF_FREE = 4;

/** No company can take all: of 50 places one alone gets 40, two get 22 or 23 each. Fewer than five are not divided. */
export class RunnerPlaces {
  private readonly taken = { foreground: new Map<string, number>(), background: new Map<string, number>() };
  /** Claims in the foreground that may turn out to be of turns in the background. */
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

  /** In the background, for what is not claimed yet: many claims at a time must not count on the same room. */
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

  /** The same in the background, for what is not claimed yet. */
  hasUnclaimedBackgroundFor(companyId: string): boolean {
    return this.unclaimedBackground > 0 && this.hasRoomFor('background', companyId);
  }

  /** Takes one in the foreground for a turn that is being created. Gives what gives it back; doing so twice does nothing. */
  reserve(companyId: string): () => void {
    this.take('foreground', companyId);
    return once(() => this.release('foreground', companyId));
  }

  /** Counts on room in the background for a claim that may turn out to be of a turn there, until it is decided. */
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

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
