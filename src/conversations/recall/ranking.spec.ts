import { hashOfTerm, termsOf, TermVector } from '@palabre/lexical';
import { dayOf, daysFrom } from '@palabre/dates';

import { Calendar } from '../../common/calendar.js';
import { rankMessages, type RankedMessage, type RankingQuery, contiguousRuns } from './ranking.js';
import type { NearMessage } from './recall.repository.js';

const START = Date.parse('2023-05-08T09:00:00Z');
const MINUTE = 60_000;

interface Said extends RankedMessage {
  text: string;
}

let count = 0;
function said(text: string, changes: Partial<Said> = {}): Said {
  count += 1;
  return {
    id: String(count).padStart(6, '0'),
    conversationId: 'c',
    createdAt: new Date(START + count * MINUTE),
    isAskedFor: false,
    meaning: 0,
    terms: TermVector.of(text),
    text,
    ...changes,
  };
}
function wanted(words: string, changes: Partial<RankingQuery> = {}): RankingQuery {
  return {
    idf: new Map([...termsOf(words).keys()].map((term) => [hashOfTerm(term), 1])),
    averageLength: 30,
    days: [],
    calendar: new Calendar('UTC'),
    ...changes,
  };
}
function texts(runs: Said[][], query: RankingQuery): string[] {
  return rankMessages(runs, query).map(({ message }) => message.text);
}

describe('the rank of a message', () => {
  it('goes with its session, which is of a conversation and of a day there', () => {
    const kiln = said('The kiln is hot.', { createdAt: new Date('2023-05-08T16:00:00Z') });
    const sessionIn = (zone: string) =>
      rankMessages([[kiln]], wanted('kiln', { calendar: new Calendar(zone) }))[0]?.session;
    expect(sessionIn('UTC')).toBe('c 2023-05-08');
    expect(sessionIn('Asia/Taipei')).toBe('c 2023-05-09');
  });

  it('is by the words it shares with the question; a session that shares none is left out', () => {
    const runs = [
      [said('The kiln is hot.')],
      [said('The kiln and the wheel.')],
      [said('Good night.', { conversationId: 'b' })],
    ];
    expect(texts(runs, wanted('kiln wheel'))).toEqual(['The kiln and the wheel.', 'The kiln is hot.']);
  });

  it('is lifted by what is said next to it: an answer need not repeat what it was asked', () => {
    const [question, answer, other] = [
      said('What is the heron code?'),
      said('It is 4711.'),
      said('It is 9999.', { conversationId: 'b' }),
    ];
    const ranked = rankMessages([[question, answer], [other]], wanted('heron code'));
    expect(ranked.map(({ message }) => message.text)).toEqual(['What is the heron code?', 'It is 4711.']);
  });

  it('is not lifted over a long pause', () => {
    const [question, later] = [
      said('What is the heron code?'),
      said('It is raining.', { createdAt: new Date(START + 7 * 60 * MINUTE) }),
    ];
    const apart = [{ ...question, conversationId: 'a', createdAt: new Date(START - 86_400_000) }, later];
    expect(texts([apart], wanted('heron'))).toEqual(['What is the heron code?']);
  });

  it('is lifted by a session that is about nothing else', () => {
    const topic = 'We talk of kilns.';
    const session = [said(topic), said(topic), said(topic), said(topic)];
    const alone = said(topic, { conversationId: 'other' });
    const [last] = rankMessages([session, [alone]], wanted('kilns')).toReversed();
    expect(last?.message).toBe(alone);
  });

  it('is higher of somebody whom the question names', () => {
    const runs = [[said('The kiln, by one.')], [said('The kiln, by two.', { isAskedFor: true })]];
    expect(texts(runs, wanted('kiln'))[0]).toBe('The kiln, by two.');
  });

  it('is higher on a day that the question names, also without a word in common', () => {
    const then = said('Porto it is.', { createdAt: new Date('2022-01-01T10:00:00Z'), conversationId: 'b' });
    const days = [daysFrom(dayOf(2022, 1, 1), 1)];
    expect(texts([[said('Hello.')], [then]], wanted('decision', { days }))).toEqual(['Porto it is.']);
  });

  it('is higher for what means the same in other words', () => {
    const alike = said('Le four est chaud.', { meaning: 1, conversationId: 'b' });
    expect(texts([[said('Hello.')], [alike]], wanted('kiln'))).toEqual(['Le four est chaud.']);
  });

  it('is the same every time where messages are alike', () => {
    const alike = Array.from({ length: 5 }, (_, index) => [said('kiln', { conversationId: String(index) })]);
    const ids = (runs: Said[][]): string[] =>
      rankMessages(runs, wanted('kiln')).map(({ message }) => message.id);
    expect(ids(alike.toReversed())).toEqual(ids(alike));
  });
});

function near(foundId: string, ids: string, conversationId = 'c'): NearMessage[] {
  return [...ids].map((id) => ({ foundId, id, conversationId, createdAt: new Date(0), speaker: 'Awa' }));
}

function shown(runs: NearMessage[][]): string[] {
  return runs.map((run) => run.map(({ id }) => id).join(''));
}

describe('messages that follow each other', () => {
  it('are one run where what is near two of them overlaps, or touches', () => {
    expect(shown(contiguousRuns([...near('c', 'abcde'), ...near('d', 'bcdef')]))).toEqual(['abcdef']);
    expect(shown(contiguousRuns([...near('b', 'ab'), ...near('c', 'bc')]))).toEqual(['abc']);
  });

  it('are two where nobody knows what is between them', () => {
    expect(shown(contiguousRuns([...near('b', 'abc'), ...near('e', 'def')]))).toEqual(['abc', 'def']);
  });

  it('are never of two conversations', () => {
    expect(shown(contiguousRuns([...near('b', 'abc', 'x'), ...near('e', 'def', 'y')]))).toEqual([
      'abc',
      'def',
    ]);
  });

  it('are none where nothing was found', () => expect(contiguousRuns([])).toEqual([]));
});
