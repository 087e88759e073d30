import {
  isCrowded,
  isLooking,
  RunnerPlaces,
  type Search,
  searchAfter,
  type SearchEvent,
  type SeenLine,
  type TurnState,
  turnStateAfter,
  type TurnStateEvent,
  WaitingLine,
} from './runner-state.js';

function searchOf(...events: SearchEvent[]): Search {
  return events.reduce<Search>(searchAfter, 'IDLE');
}

it.each<[string, SearchEvent[], Search]>([
  ['nothing waits', ['LOOK_BEGAN', 'ALL_FOUND'], 'IDLE'],
  ['more wait than there is room for', ['LOOK_BEGAN', 'MORE_WAIT'], 'CROWDED'],
  ['one is turned down', ['TURNED_DOWN'], 'CROWDED'],
  ['the crowd is found', ['TURNED_DOWN', 'LOOK_BEGAN', 'ALL_FOUND'], 'IDLE'],
  ['room comes where nobody waits', ['LOOK_BEGAN', 'ROOM_FREED', 'ALL_FOUND'], 'IDLE'],
  ['one is turned down meanwhile', ['LOOK_BEGAN', 'TURNED_DOWN'], 'LOOKING_PAST_SOME'],
  ['one is turned down during a look', ['TURNED_DOWN', 'LOOK_BEGAN', 'TURNED_DOWN'], 'LOOKING_PAST_SOME'],
  ['one is put behind the crowd', ['TURNED_DOWN', 'LOOK_BEGAN', 'PUT_BEHIND'], 'LOOKING_TOO_EARLY'],
  ['room comes to one that it missed', ['LOOK_BEGAN', 'TURNED_DOWN', 'ROOM_FREED'], 'LOOKING_TOO_EARLY'],
  ['a look that missed one ends', ['LOOK_BEGAN', 'TURNED_DOWN', 'ALL_FOUND'], 'CROWDED'],
  ['room comes to the crowd meanwhile', ['TURNED_DOWN', 'LOOK_BEGAN', 'ROOM_FREED'], 'LOOKING_TOO_EARLY'],
  ['a look that came too early ends', ['TURNED_DOWN', 'LOOK_BEGAN', 'ROOM_FREED', 'ALL_FOUND'], 'CROWDED'],
])('the search when %s', (_, events, expected) => {
  expect(searchOf(...events)).toBe(expected);
});

it.each<[Search, looking: boolean, crowded: boolean]>([
  ['IDLE', false, false],
  ['CROWDED', false, true],
  ['LOOKING', true, false],
  ['LOOKING_FOR_CROWD', true, true],
  ['LOOKING_PAST_SOME', true, true],
  ['LOOKING_TOO_EARLY', true, true],
])('%s: looking %s, crowded %s', (search, looking, crowded) => {
  expect([isLooking(search), isCrowded(search)]).toEqual([looking, crowded]);
});

describe('the line of waiting turns', () => {
  const seen = (companies: Record<string, boolean>, isWhole = false, isOvertaken = false): SeenLine => ({
    companies: new Map(Object.entries(companies)),
    isWhole,
    isOvertaken,
  });
  let line: WaitingLine;
  const before = (): string[] => ['a', 'b', 'c'].filter((company) => line.isBefore(company));

  beforeEach(() => {
    line = new WaitingLine();
    line.add('a');
    line.add('b');
    line.onLookBegun();
  });

  it('is before new turns of its companies alone', () => expect(before()).toEqual(['a', 'b']));

  it('holds no company whose turns a look has all found room for, and others as before', () => {
    line.onLookEnded(seen({ a: false, c: true }));
    expect(before()).toEqual(['b', 'c']);
  });

  it('holds those alone that a look of all of it left', () => {
    line.onLookEnded(seen({ c: true }, true));
    expect(before()).toEqual(['c']);
  });

  it('holds those that a look may not have seen', () => {
    line.add('c');
    line.onLookEnded(seen({}, true));
    expect(before()).toEqual(['c']);
  });

  it('is before all until the next look where it was overtaken', () => {
    line.onLookEnded(seen({}, true, true));
    expect(before()).toEqual(['a', 'b', 'c']);
    line.onLookEnded(seen({}, true));
    expect(before()).toEqual([]);
  });
});

function stateOf(...events: TurnStateEvent[]): TurnState {
  return events.reduce<TurnState>(turnStateAfter, 'CLAIMING');
}

it.each<[string, TurnStateEvent[], TurnState]>([
  ['is claimed', ['CLAIMED'], 'RUNNING'],
  ['is somebody else’s', ['REFUSED'], 'GONE'],
  ['cannot be claimed', ['BROKE_OFF'], 'FAILED'],
  ['is offered while its claim is under way', ['OFFERED', 'OFFERED'], 'CLAIMING_AGAIN'],
  ['was refused before it was offered', ['OFFERED', 'REFUSED'], 'CLAIMING'],
  ['is claimed though it was offered again', ['OFFERED', 'CLAIMED'], 'RUNNING'],
  ['is offered while it runs', ['CLAIMED', 'OFFERED'], 'RUNNING'],
  ['could not be claimed, and is offered too late', ['BROKE_OFF', 'OFFERED'], 'FAILED'],
])('a turn that %s', (_, events, expected) => {
  expect(stateOf(...events)).toBe(expected);
});

describe('the places of a process', () => {
  const start = (most = { foreground: 3, background: 2 }) => {
    const state = { isOpen: true };
    const places = new RunnerPlaces(most, () => state.isOpen);
    const room = () => [places.foreground, places.background, places.unclaimedBackground];
    return { state, places, room };
  };

  it('are of two kinds, and some are only reserved', () => {
    const { places, room } = start();
    places.take('foreground', 'a');
    places.take('background', 'a');
    const giveBack = places.reserve('a');
    expect([room(), places.areAllFree]).toEqual([[1, 1, 1], false]);
    giveBack();
    giveBack();
    places.release('foreground', 'a');
    places.release('background', 'a');
    expect([room(), places.areAllFree]).toEqual([[3, 2, 2], true]);
  });

  it('in the background are counted on once, by what may turn out to belong there', () => {
    const { places, room } = start();
    const decide = places.leaveUndecided();
    expect(room()).toEqual([3, 2, 1]);
    decide();
    decide();
    expect(room()).toEqual([3, 2, 2]);
  });

  it('are none once the process takes no more', () => {
    const { state, room } = start();
    state.isOpen = false;
    expect(room()[0]).toBe(0);
    expect(room()[1]).toBe(0);
  });

  /** How many of them each company has, when one after the other takes all that it may. */
  const shares = (most: number, companies: readonly string[]): number[] => {
    const { places } = start({ foreground: most, background: most });
    return companies.map((company) => {
      let count = 0;
      for (; places.hasRoomFor('foreground', company); count += 1) places.take('foreground', company);
      return count;
    });
  };

  it.each([
    [1, [1, 0]],
    [4, [4, 0]],
    [5, [4, 1, 0]],
    [50, [40, 8, 2, 0]],
  ])('are not all taken by one company, if they are %s', (most, expected) => {
    expect(
      shares(
        most,
        expected.map((_, index) => `company ${index}`),
      ),
    ).toEqual(expected);
  });

  it('are shared alike by companies that come at the same time, and some are left', () => {
    const { places } = start({ foreground: 50, background: 1 });
    const taken = [0, 0];
    for (let count = 0; count < 100; count += 1) {
      const company = `company ${count % 2}`;
      if (!places.hasRoomFor('foreground', company)) continue;
      places.take('foreground', company);
      taken[count % 2]! += 1;
    }
    expect([taken, places.foreground]).toEqual([[23, 22], 5]);
    places.release('foreground', 'company 0');
    expect(places.hasRoomFor('foreground', 'company 0')).toBe(true);
  });

  it('in the background are shared in the same way, those in the foreground apart', () => {
    const { places } = start({ foreground: 5, background: 5 });
    for (let count = 0; count < 4; count += 1) places.take('background', 'a');
    expect(['a', 'b'].map((company) => places.hasRoomFor('background', company))).toEqual([false, true]);
    expect(places.hasUnclaimedBackgroundFor('a')).toBe(false);
    expect(places.hasRoomFor('foreground', 'a')).toBe(true);
  });
});
