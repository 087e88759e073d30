import type { Message } from '../../conversations/message.repository.js';
import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import type { Memory } from '../memory.entity.js';
import { type Found, selectMaterial } from './context-builder.service.js';
import { scriptedMemory } from './scripted-memory.double.js';

function found(changes: Partial<Found> = {}): Found {
  return {
    memberId: 'awa',
    preferences: [],
    named: { projects: [], contacts: [] },
    pinned: null,
    found: [],
    newest: [],
    recalled: [],
    beside: new Set(),
    ...changes,
  };
}
function preference(content: string, changes: Partial<Memory> = {}): Memory {
  return scriptedMemory({ kind: 'PREFERENCE', subject: 'Answers', content, ...changes });
}
function project(subject: string): Memory {
  return scriptedMemory({ kind: 'PROJECT', subject, content: `${subject} goes on` });
}
function contact(subject: string): Memory {
  return scriptedMemory({ kind: 'CONTACT', subject, content: `${subject} works here` });
}
function recalled(text: string, createdAt = '2026-05-04T09:00:00Z'): RecalledMessage {
  return {
    message: { text, createdAt: new Date(createdAt) } as Message,
    speaker: 'Awa',
    text,
    session: 's',
    shownAt: new Date(createdAt),
    score: 1,
  };
}
function contentsOf(told: readonly { memory: Memory }[]): string[] {
  return told.map(({ memory }) => memory.content);
}

describe('selectMaterial', () => {
  it('are all preferences: first those that bear on the message, then the member’s own, then the newer', () => {
    const [old, recent, shared] = [
      preference('old'),
      preference('recent'),
      preference('shared', { ownerId: null }),
    ];
    const { preferences } = selectMaterial(found({ preferences: [shared, recent, old] }));
    expect(contentsOf(preferences)).toEqual(['recent', 'old', 'shared']);
    const bearing = selectMaterial(
      found({ preferences: [shared, recent, old], found: [{ memory: shared, score: 0.4 }] }),
    );
    expect(contentsOf(bearing.preferences)).toEqual(['shared', 'recent', 'old']);
    expect(bearing.facts).toEqual([]);
  });

  it('is the project that the message names, before the one that is pinned', () => {
    const [named, other, pinned] = [project('Baobab'), project('Karité'), project('Fromager')];
    const { project: active, facts } = selectMaterial(
      found({ named: { projects: [named, other], contacts: [] }, pinned }),
    );
    expect(active).toEqual({ memory: named, score: 1 });
    expect(contentsOf(facts).toSorted()).toEqual(['Fromager goes on', 'Karité goes on']);
    expect(facts.map(({ score }) => score)).toEqual([1, 1]);
    expect(selectMaterial(found({ pinned })).project).toEqual({ memory: pinned, score: 1 });
    expect(selectMaterial(found()).project).toBeNull();
  });

  it('is nothing twice, neither by lineage nor by what it says', () => {
    const [marc, baobab] = [contact('Marc'), project('Baobab')];
    const fact = scriptedMemory({ content: 'The office moves in June' });
    const same = scriptedMemory({ content: 'the office moves in june!', ownerId: null });
    const material = selectMaterial(
      found({
        named: { projects: [baobab], contacts: [marc] },
        pinned: baobab,
        found: [
          { memory: marc, score: 1 },
          { memory: baobab, score: 0.9 },
          { memory: fact, score: 0.8 },
          { memory: same, score: 0.7 },
        ],
        recalled: [recalled('The OFFICE moves in June.'), recalled('When does the office move?')],
      }),
    );
    expect(contentsOf(material.facts)).toEqual(['The office moves in June']);
    expect(material.recalled.map(({ message }) => message.text)).toEqual(['When does the office move?']);
  });

  it('is all else that is remembered, as it is given, without what is told anyway', () => {
    const [old, recent, baobab] = [
      scriptedMemory({ content: 'old' }),
      scriptedMemory({ content: 'recent' }),
      project('Baobab'),
    ];
    const { facts, others } = selectMaterial(
      found({
        named: { projects: [baobab], contacts: [] },
        found: [{ memory: old, score: 0.1 }],
        newest: [baobab, recent, old],
      }),
    );
    expect(facts).toEqual([]);
    expect(others).toEqual([
      { memory: recent, score: 0 },
      { memory: old, score: 0.1 },
    ]);
  });

  it('is one of two preferences that say the same: the member’s own', () => {
    const [own, shared] = [preference('short'), preference('Short.', { ownerId: null })];
    const material = selectMaterial(
      found({ preferences: [shared, own], found: [{ memory: shared, score: 1 }] }),
    );
    expect(material.preferences).toEqual([{ memory: own, score: 0 }]);
    const others = [preference('short', { subject: 'Mails' }), own];
    expect(selectMaterial(found({ preferences: others })).preferences).toHaveLength(2);
  });

  it('is nothing that was superseded, nor what hardly bears on the message', () => {
    const superseded = scriptedMemory({ supersededBy: 'newer' });
    const material = selectMaterial(
      found({
        found: [
          { memory: superseded, score: 1 },
          { memory: scriptedMemory({ content: 'far away' }), score: 0.1 },
          { memory: scriptedMemory({ content: 'near' }), score: 0.2 },
        ],
      }),
    );
    expect(contentsOf(material.facts)).toEqual(['near']);
  });
});
