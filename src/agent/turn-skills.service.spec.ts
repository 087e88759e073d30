import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../common/domain-error.js';
import { createLogger } from '../common/logger.js';
import type { Skill } from '../skills/skill.js';
import type { SkillResult, SkillRunner } from '../skills/skill-runner.service.js';
import type { CallableSkill, SkillsService } from '../skills/skills.service.js';
import type { Turn } from '../turns/turn.entity.js';
import { succeeded } from './loop/scripted-turn.js';
import { TurnSkills } from './turn-skills.service.js';

const skillOf = (key: string, approval: CallableSkill['approval'] = null): CallableSkill => ({
  skill: { key, description: `Does ${key}.`, parameters: { type: 'object' } } as unknown as Skill,
  approval,
});

const names = async (offered: Promise<{ name: string }[]>): Promise<string[]> =>
  (await offered).map(({ name }) => name);

interface Given {
  /** What a model may call at each moment; may be changed. */
  callable?: CallableSkill[];
  /** What was read with the question. */
  first?: CallableSkill[] | null;
  allowed?: string[];
  /** What the database answers with before it is there. */
  failures?: Error[];
  result?: SkillResult;
  stored?: Promise<void>;
}

/** The skills of a turn: `look` may be repeated, everything else may not. */
const start = (given: Given = {}) => {
  const { callable = [skillOf('look'), skillOf('send')], failures = [], result = succeeded('1') } = given;
  /** What was done, in this order. */
  const done: string[] = [];
  const answer = async <T>(value: T): Promise<T> => {
    const failure = failures.shift();
    if (failure) throw failure;
    return value;
  };
  const skills: Pick<SkillsService, 'listCallable' | 'findCallable' | 'isRepeatable'> = {
    listCallable: () => answer([...callable]),
    findCallable: (_company, key) => {
      done.push(`find ${key}`);
      return answer(callable.find(({ skill }) => skill.key === key) ?? null);
    },
    isRepeatable: (key) => key === 'look',
  };
  const runner: Pick<SkillRunner, 'run'> = {
    run: async (key, text, { callId, language, companyId }, known) => {
      done.push(`run ${key} ${text} ${callId} ${language} ${companyId} ${known?.key ?? '?'}`);
      return result;
    },
  };
  const { signal } = new AbortController();
  const stored = async (): Promise<void> => {
    done.push('store');
    await given.stored;
  };
  const port = new TurnSkills(skills as SkillsService, runner as SkillRunner).portOf({
    turn: { companyId: 'nord' } as Turn,
    language: 'en',
    first: given.first ?? null,
    allowed: new Map((given.allowed ?? []).map((id) => [id, 'ADMIN' as const])),
    run: { signal, stored, record: () => undefined },
    logger: createLogger({ level: 'silent', pretty: false }),
  });
  const call = (key: string) => port.call({ callId: 'id', key, arguments: '{}' }, signal);
  return { port, callable, done, call };
};

describe('the skills that a turn offers', () => {
  it('are first those read with the question, and from then on those of their own time', async () => {
    const { port, callable } = start({ first: [skillOf('look')] });
    expect(await names(port.list())).toEqual(['look']);
    expect(await names(port.list())).toEqual(['look', 'send']);
    callable.pop();
    expect(await names(port.list())).toEqual(['look']);
  });

  it('are told of by name, description and parameters', async () => {
    expect(await start({ callable: [skillOf('look')] }).port.list()).toEqual([
      { name: 'look', description: 'Does look.', parameters: { type: 'object' } },
    ]);
  });

  it('are waited for while the database is away', async () => {
    const failures = [new DomainError('UNAVAILABLE', 'The database is away.')];
    expect(await names(start({ failures }).port.list())).toEqual(['look', 'send']);
    expect(failures).toEqual([]);
  });
});

describe('a skill call of a turn', () => {
  it('of what was offered is carried out without a second look', async () => {
    const { port, done, call } = start();
    await port.list();
    expect(await call('look')).toEqual(succeeded('1'));
    expect(done).toEqual(['run look {} id en nord look']);
  });

  it('of what was not is looked up, and left to the runner to refuse when there is none', async () => {
    const { done, call } = start();
    await call('look');
    await call('dance');
    expect(done).toEqual([
      'find look',
      'run look {} id en nord look',
      'find dance',
      'store',
      'run dance {} id en nord ?',
    ]);
  });

  it('of what may not be done twice is begun once it is stored that it was asked for', async () => {
    const { port, done, call } = start();
    await port.list();
    await call('send');
    expect(done).toEqual(['store', 'run send {} id en nord send']);
  });

  it('is not begun when that cannot be stored', async () => {
    const lost = new Error('The turn is another attempt’s.');
    const { port, done, call } = start({ stored: Promise.reject(lost) });
    await port.list();
    await expect(call('send')).rejects.toBe(lost);
    expect(done).toEqual(['store']);
  });

  it('tells the loop nothing of what went wrong inside', async () => {
    const result: SkillResult = { status: 'FAILED', result: '{}', preview: '', cause: new Error('secret') };
    expect(await start({ result }).call('look')).toEqual({ status: 'FAILED', result: '{}', preview: '' });
  });

  it('says whether it may be repeated', () => {
    const { port } = start();
    expect([port.isRepeatable('look'), port.isRepeatable('send')]).toEqual([true, false]);
  });
});

describe('a skill call that people have to allow', () => {
  const guarded = [skillOf('look'), skillOf('send', { askerMayApprove: true })];

  it('is told from what was offered, so that switches in between change nothing', async () => {
    const { port, callable } = start({ callable: [...guarded] });
    expect(port.approvalFor('send')).toBeNull();
    await port.list();
    callable.splice(0, 2, skillOf('look', { askerMayApprove: false }), skillOf('send'));
    expect([port.approvalFor('look'), port.approvalFor('send')]).toEqual([null, { askerMayApprove: true }]);
    await port.list();
    expect([port.approvalFor('look'), port.approvalFor('send')]).toEqual([{ askerMayApprove: false }, null]);
  });

  it('is not carried out when it was not offered, for nobody was asked', async () => {
    const { done, call } = start({ callable: guarded });
    const { status, result } = await call('send');
    expect(status).toBe('FAILED');
    expect(result).toContain('A person has to allow');
    expect(done).toEqual(['find send']);
  });

  it('nor when it was, unless this very call is allowed', async () => {
    const { port, done, call } = start({ callable: guarded, allowed: ['another'] });
    await port.list();
    expect(await call('send')).toMatchObject({ status: 'FAILED' });
    expect(done).toEqual([]);
  });

  it('is carried out once it is allowed, also before anything was offered', async () => {
    const { done, call } = start({ callable: guarded, allowed: ['id'] });
    expect(await call('send')).toEqual(succeeded('1'));
    expect(done).toEqual(['find send', 'store', 'run send {} id en nord send']);
  });

  it('shows the arguments that it was asked for with, where they are an object', () => {
    const { port } = start();
    expect(port.read('{"to":"awa"}')).toEqual({ to: 'awa' });
    for (const broken of ['{"to":', '[1]', '"awa"']) expect(port.read(broken)).toEqual({});
  });
});
