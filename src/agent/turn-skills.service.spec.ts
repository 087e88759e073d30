import { DomainError } from '../common/errors/domain-error.js';
import { createLogger } from '../common/process/logger.js';
import type { ShippedAssistants } from '../companies/assistants/definitions/shipped-assistants.service.js';
import type { InstalledSkills } from '../skills/skill-sources.service.js';
import { shownArguments } from '../skills/skill-arguments.js';
import { changesElsewhere, changesHere, type Pack, readsOwn, type Skill } from '../skills/skill.js';
import type { SkillResult, SkillRunner } from '../skills/skill-runner.service.js';
import type {
  CallableSkill,
  CompanySkills,
  SkillsInUse,
  UsableSkills,
} from '../skills/skills-in-use.service.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import type { SkillOffer } from './loop/agent-ports.js';
import { succeeded } from './loop/scripted-turn.double.js';
import { TurnSkills } from './turn-skills.service.js';

const nobody = { required: null, askerMayApprove: true };

function skillOf(key: string, approval: CallableSkill['approval'] = nobody): CallableSkill {
  return {
    skill: {
      key,
      description: `Does ${key}.`,
      parameters: { type: 'object' },
      idempotent: key === 'look',
      effect: key === 'look' ? readsOwn : changesHere,
    } as unknown as Skill,
    approval,
    isAlwaysOffered: key === 'given',
  };
}

async function names(offer: Promise<SkillOffer>): Promise<string[]> {
  return (await offer).tools.map(({ name }) => name);
}

function packOf(key: string): Pack {
  return {
    version: '1',
    key,
    name: 'Deed of sale',
    category: 'deeds',
    description: 'For sales.',
    assistants: null,
    warnings: [],
    files: [{ path: 'references/data.md', bytes: 4 }],
    readBody: () => Promise.resolve('Ask for the price.'),
    readFile: () => Promise.resolve(Buffer.from('data')),
  };
}

interface Given {
  /** The model's skills at each moment. May be changed. */
  callable?: CallableSkill[];
  packs?: Pack[];
  /** The skills read with the question. */
  first?: CallableSkill[];
  allowed?: string[];
  /** The database's errors before it is available. */
  failures?: Error[];
  off?: UsableSkills['off'];
  result?: SkillResult;
  stored?: Promise<void>;
  /** The skills that the assistant is made to use. Default: all. */
  always?: ReadonlySet<string>;
  /** What of it is code, by key. */
  code?: ReadonlyMap<string, Skill>;
}

/** The skills of a turn: `look` may be repeated, everything else may not. */
async function start(given: Given = {}) {
  const { callable = [skillOf('look'), skillOf('send')], failures = [], result = succeeded('1') } = given;
  const packs = given.packs ?? [];
  const off = given.off ?? [];
  /** All actions, in order. */
  const done: string[] = [];
  const changes = { state: 0 };
  const companyOf = (): CompanySkills => ({ rows: [], own: new Map(), state: changes.state });
  const first = given.first ? companyOf() : null;
  /** The result of each reading of the company. */
  const read = new Map<CompanySkills, UsableSkills>();
  if (first) read.set(first, { callable: given.first ?? [], packs, off: [], company: first });
  const skills: Pick<SkillsInUse, 'listUsable'> = {
    listUsable: async ({ companyId, role, assistantKey }, known) => {
      const failure = failures.shift();
      if (failure) throw failure;
      const same = known?.state === changes.state ? read.get(known) : undefined;
      if (same) return same;
      done.push(`look for ${companyId} ${role} ${assistantKey}`);
      const usable = { callable: [...callable], packs: [...packs], off, company: companyOf() };
      read.set(usable.company, usable);
      return usable;
    },
  };
  const runner: Pick<SkillRunner, 'run'> = {
    run: async (skill, key, text, { callId, language, companyId, assistantKey, role }) => {
      done.push(
        `run ${key} ${text} ${callId} ${language} ${companyId} ${assistantKey} ${role} ${skill?.key}`,
      );
      return result;
    },
  };
  const installed: Pick<InstalledSkills, 'findFunction'> = {
    findFunction: (key) => given.code?.get(key) ?? null,
  };
  const { signal } = new AbortController();
  const stored = async (): Promise<void> => {
    done.push('store');
    await given.stored;
  };
  const port = await new TurnSkills(
    skills as SkillsInUse,
    installed as InstalledSkills,
    runner as SkillRunner,
    { skillsOf: () => given.always ?? null } as unknown as ShippedAssistants,
  ).portOf({
    turn: { companyId: 'nord', role: 'MEMBER' } as Turn,
    assistant: { key: 'mefali', language: 'en', strategy: 'REACTIVE', skills: null, copiedFrom: null },
    first,
    allowed: new Map((given.allowed ?? []).map((id) => [id, 'ADMIN' as const])),
    run: { signal, stored },
    logger: createLogger({ level: 'silent', pretty: false }),
  });
  const call = (key: string) => port.call({ callId: 'id', key, arguments: '{}' }, signal, () => undefined);
  /** Later actions without looks at the skills. */
  const carriedOut = (): string[] => done.filter((line) => !line.startsWith('look for'));
  return { port, callable, packs, changes, done, carriedOut, call, signal };
}

describe('the skills that a turn offers', () => {
  it('are first those read with the question, and after every change those of their own time', async () => {
    const { port, callable, changes } = await start({ first: [skillOf('look')] });
    expect(await names(port.list())).toEqual(['look']);
    changes.state += 1;
    expect(await names(port.list())).toEqual(['look', 'send']);
    callable.pop();
    expect(await names(port.list())).toEqual(['look', 'send']);
    changes.state += 1;
    expect(await names(port.list())).toEqual(['look']);
  });

  it('are refused in words of their own where the company has switched them off', async () => {
    const { port, call, carriedOut } = await start({ off: [{ key: 'web', name: 'The web' }] });
    expect((await port.list()).off).toEqual([{ key: 'web', name: 'The web' }]);
    expect(await call('web')).toMatchObject({
      status: 'FAILED',
      preview: '“web” is switched off for the company: an admin can switch it on.',
    });
    expect(carriedOut()).toEqual([]);
  });

  it('are not read again while nobody has changed anything', async () => {
    const { port, done } = await start({ first: [skillOf('look')] });
    await port.list();
    await port.list();
    expect(done).toEqual([]);
  });

  it('are of code those that the assistant is made to use, and all that companies bring', async () => {
    const callable = ['look', 'send', 'own', 'given', 'retrieve_documents'].map((key) => skillOf(key));
    const code = new Map(
      callable.filter(({ skill }) => skill.key !== 'own').map(({ skill }) => [skill.key, skill]),
    );
    const { port } = await start({ callable, code, always: new Set(['look']) });
    expect([...((await port.list()).offered ?? [])]).toEqual([
      ['look', 'ALWAYS'],
      ['send', 'WHEN_FOUND'],
      ['given', 'ALWAYS'],
    ]);
    expect((await (await start({ callable, code })).port.list()).offered).toBeUndefined();
  });

  it('are told of by name, description and parameters', async () => {
    const { port } = await start({ callable: [skillOf('look')] });
    expect((await port.list()).tools).toEqual([
      { name: 'look', description: 'Does look.', parameters: { type: 'object' } },
    ]);
  });

  it('are those of whoever asked, and of whom they asked', async () => {
    const { port, done } = await start();
    await port.list();
    expect(done).toEqual(['look for nord MEMBER mefali']);
  });

  it('are waited for while the database is away', async () => {
    const failures = [new DomainError('UNAVAILABLE', 'The database is away.')];
    const { port } = await start({ failures });
    expect(await names(port.list())).toEqual(['look', 'send']);
    expect(failures).toEqual([]);
  });
});

describe('the instructions that a turn may load', () => {
  it('are told of without their text, and read when they are asked for', async () => {
    const { port, signal } = await start({ packs: [packOf('deeds/sale')] });
    expect((await port.list()).packs).toEqual([
      {
        key: 'deeds/sale',
        name: 'Deed of sale',
        description: 'For sales.',
        category: 'deeds',
        version: '1',
        hasFiles: true,
      },
    ]);
    expect(await port.loadPack('deeds/sale', signal)).toEqual({
      instructions: 'Ask for the price.',
      files: ['references/data.md'],
      version: '1',
    });
    expect(await port.readPackFile('deeds/sale', 'references/data.md', signal)).toBe('data');
  });

  it('are not there any more once they are switched off', async () => {
    const { port, packs, changes, signal } = await start({ packs: [packOf('deeds/sale')] });
    packs.pop();
    changes.state += 1;
    expect(await port.loadPack('deeds/sale', signal)).toBeNull();
    expect(await port.readPackFile('deeds/sale', 'references/data.md', signal)).toBeNull();
  });
});

describe('a skill call of a turn', () => {
  it('of what was offered is carried out without a second look', async () => {
    const { port, done, call } = await start();
    await port.list();
    done.length = 0;
    expect(await call('look')).toEqual(succeeded('1'));
    expect(done).toEqual(['run look {} id en nord mefali MEMBER look']);
  });

  it('of what is not there is left to the runner to refuse', async () => {
    const { carriedOut, call } = await start();
    await call('dance');
    expect(carriedOut()).toEqual(['store', 'run dance {} id en nord mefali MEMBER undefined']);
  });

  it('is refused when it was switched off after it was offered', async () => {
    const { port, callable, changes, carriedOut, call } = await start();
    await port.list();
    callable.shift();
    changes.state += 1;
    await call('look');
    expect(carriedOut().at(-1)).toBe('run look {} id en nord mefali MEMBER undefined');
  });

  it('of what may not be done twice is begun once it is stored that it was asked for', async () => {
    const { carriedOut, call } = await start();
    await call('send');
    expect(carriedOut()).toEqual(['store', 'run send {} id en nord mefali MEMBER send']);
  });

  it('is not begun when that cannot be stored', async () => {
    const lost = new Error('The turn is another attempt’s.');
    const { carriedOut, call } = await start({ stored: Promise.reject(lost) });
    await expect(call('send')).rejects.toBe(lost);
    expect(carriedOut()).toEqual(['store']);
  });

  it('tells the loop nothing of what went wrong inside', async () => {
    const result: SkillResult = { status: 'FAILED', result: '{}', preview: '', cause: new Error('secret') };
    const { call } = await start({ result });
    expect(await call('look')).toEqual({ status: 'FAILED', result: '{}', preview: '' });
  });

  it('says whether it may be repeated, before a model was told of it', async () => {
    const { port } = await start();
    expect(['look', 'send', 'dance'].map((key) => port.factsOf(key).isRepeatable)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a skill call that people have to allow', () => {
  const required = { required: true, askerMayApprove: true };
  const guarded = [skillOf('look'), skillOf('send', required)];

  it('is told from what was offered, so that switches in between change nothing', async () => {
    const { port, callable, changes } = await start({ callable: [...guarded] });
    await port.list();
    callable.splice(0, 2, skillOf('look', { ...required, askerMayApprove: false }), skillOf('send'));
    changes.state += 1;
    expect([port.factsOf('look').approval, port.factsOf('send').approval]).toEqual([nobody, required]);
    await port.list();
    expect([port.factsOf('look').approval, port.factsOf('send').approval]).toEqual([
      { ...required, askerMayApprove: false },
      nobody,
    ]);
  });

  it('is not carried out unless this very call is allowed', async () => {
    const { carriedOut, call } = await start({ callable: guarded, allowed: ['another'] });
    const { status, result } = await call('send');
    expect(status).toBe('FAILED');
    expect(result).toContain('A person has to allow');
    expect(carriedOut()).toEqual([]);
  });

  it.each([
    ['because of what it does, where nobody has decided', null, 'FAILED'],
    ['no more, where an admin has decided so', false, 'SUCCEEDED'],
  ])('has to be allowed %s', async (_, decided, status) => {
    const post = skillOf('send', { required: decided, askerMayApprove: true });
    const { call } = await start({
      callable: [{ ...post, skill: { ...post.skill, effect: changesElsewhere } }],
    });
    expect((await call('send')).status).toBe(status);
  });

  it('is carried out once it is allowed, with the rights of whoever allowed it', async () => {
    const { carriedOut, call } = await start({ callable: guarded, allowed: ['id'] });
    expect(await call('send')).toEqual(succeeded('1'));
    expect(carriedOut()).toEqual(['store', 'run send {} id en nord mefali ADMIN send']);
  });

  it('shows the arguments that it was asked for with, where they are an object', () => {
    expect(shownArguments('{"to":"awa"}')).toEqual({ to: 'awa' });
    for (const broken of ['{"to":', '[1]', '"awa"']) expect(shownArguments(broken)).toEqual({});
  });
});
