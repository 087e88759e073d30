import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../common/domain-error.js';
import { newId } from '../common/ids.js';
import { createLogger } from '../common/logger.js';
import { finish, ScriptedChatModel, text, toolCall } from '../llm/scripted-chat-model.js';
import type { Skill } from '../skills/skill.js';
import type { SkillRunner } from '../skills/skill-runner.service.js';
import type { SkillsService } from '../skills/skills.service.js';
import { noUsage } from '../turns/turn-event.js';
import type { Turn } from '../turns/turn.entity.js';
import { play, scriptedTurn, succeeded } from './loop/scripted-turn.js';
import type { RunContext, TurnContext } from './turn-context.service.js';
import { TurnWork } from './turn-work.service.js';

const skill = (key: string): Skill =>
  ({ key, description: `Does ${key}.`, parameters: { type: 'object' } }) as unknown as Skill;

/** A turn whose model asks for `look`, which may be repeated, or `send`, which may not. */
const start = async (
  key: 'look' | 'send',
  { failures = [] as Error[], first = null as Skill[] | null } = {},
) => {
  const carriedOut: string[] = [];
  const stored = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const read = {
    assistant: { maxSeconds: 7, language: 'en' },
    agentTurn: scriptedTurn(3),
  } as unknown as RunContext;
  const context = {
    read: () => {
      if (first) throw new Error('It had been read.');
      return Promise.resolve(read);
    },
  } as unknown as TurnContext;
  const skills = {
    listCallable: async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return [skill('look'), skill('send')];
    },
    isRepeatable: (of: string) => of === 'look',
  } as unknown as SkillsService;
  const runner = {
    run: async (of: string) => {
      carriedOut.push(of);
      return succeeded('1');
    },
  } as unknown as SkillRunner;
  const model = new ScriptedChatModel([
    [toolCall(key), finish()],
    [text('Done.'), finish()],
  ]);
  const { signal } = new AbortController();
  const run = {
    signal,
    stored: (): Promise<void> => {
      asked.resolve();
      return stored.promise;
    },
  };
  const logger = createLogger({ level: 'silent', pretty: false });
  const turn = { companyId: newId(), id: newId() } as Turn;
  const work = await new TurnWork(context, model, skills, runner).prepare(
    turn,
    run,
    logger,
    first && { context: read, skills: first },
  );
  return {
    carriedOut,
    model,
    stored,
    asked: asked.promise,
    work,
    playing: play(work.events({ ...noUsage }, signal)),
  };
};

describe('what it takes to run a turn', () => {
  it('has the assistant’s time', async () => {
    const { work, playing } = await start('look');
    expect(work.maxSeconds).toBe(7);
    await playing;
  });

  it('begins what may not be done twice when it is stored that it was asked for', async () => {
    const { carriedOut, stored, asked, playing } = await start('send');
    await asked;
    expect(carriedOut).toEqual([]);
    stored.resolve();
    expect((await playing).result).toEqual({ finishReason: 'ANSWERED' });
    expect(carriedOut).toEqual(['send']);
  });

  it('does not begin it when that cannot be stored', async () => {
    const { carriedOut, stored, playing } = await start('send');
    const lost = new Error('The turn is another attempt’s.');
    stored.reject(lost);
    expect((await playing).error).toBe(lost);
    expect(carriedOut).toEqual([]);
  });

  it('does not wait for that with what may be repeated', async () => {
    const { carriedOut, playing } = await start('look');
    expect((await playing).result).toEqual({ finishReason: 'ANSWERED' });
    expect(carriedOut).toEqual(['look']);
  });

  it('offers what was read with the question first, and what there is at that moment from then on', async () => {
    const { model, playing } = await start('look', { first: [skill('look')] });
    await playing;
    const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered).toEqual([['look'], ['look', 'send']]);
  });

  it('waits for a database that is away to say which skills there are', async () => {
    const failures = [new DomainError('UNAVAILABLE', 'The database is away.')];
    const { playing } = await start('look', { failures });
    expect((await playing).result).toEqual({ finishReason: 'ANSWERED' });
    expect(failures).toEqual([]);
  });
});
