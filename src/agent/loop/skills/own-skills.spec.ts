import { NoSuchPackFile, PackFileNotText } from '@palabre/skill-pack';

import { readsForeign, SkillError } from '../../../skills/skill.js';
import type { SkillOutcome } from '../agent-ports.js';
import { roughTokens, scriptedPack, ScriptedSkills, succeeded } from '../scripted-turn.double.js';
import { toolsTokens } from '../prompt/prompt-tokens.js';
import { OwnSkills } from './own-skills.js';

const never = new AbortController().signal;
function nobody(): void {
  return undefined;
}

const packs = [
  scriptedPack('escrituras/compraventa', 'Redacta en tres partes.', {
    'references/art.md': Array.from({ length: 3000 }, (_, index) => `Artículo ${index}`).join('\n'),
    'notas.txt': 'Nota.',
  }),
  scriptedPack('plain', 'Do it.'),
];

function skillsOf(
  port = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) }, packs),
  most = 10_000,
  language = 'en',
) {
  const skills = new OwnSkills(port, roughTokens, language, () => most);
  const call = (key: string, input: object | string, signal = never): Promise<SkillOutcome> =>
    skills.call(
      { callId: 'c', key, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
      signal,
      nobody,
    );
  return { port, skills, call };
}
function valueOf({ result }: SkillOutcome): unknown {
  return JSON.parse(result);
}

describe('the loop’s own skills', () => {
  it('leave all others to the port', async () => {
    const { port, skills, call } = skillsOf();
    expect(await call('look', {})).toEqual(succeeded('1'));
    expect(port.called).toEqual([{ callId: 'c', key: 'look' }]);
    port.once.add('look');
    port.guarded.add('look').add('load_skill');
    port.effects.set('look', readsForeign);
    expect(skills.factsOf('look')).toEqual({
      isRepeatable: false,
      input: null,
      approval: { required: true, askerMayApprove: true },
      effect: readsForeign,
    });
    for (const key of ['load_skill', 'search_skills'])
      expect(skills.factsOf(key)).toEqual({ isRepeatable: true, input: null, approval: null, effect: null });
  });

  it('say of instructions that are called like a skill how to load them', async () => {
    const { skills, call, port } = skillsOf();
    skills.sized(await skills.list());
    for (const key of ['escrituras_compraventa', 'Escrituras/Compraventa']) {
      const outcome = await call(key, {});
      expect(outcome.status).toBe('FAILED');
      expect(outcome.result).toMatch(/escrituras\/compraventa.*load_skill/);
    }
    expect(port.called).toEqual([]);
  });

  it('say of tools that they are too large where the model’s window has too little room for them', async () => {
    const ask = async (most: number) => {
      const port = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
      const { skills } = skillsOf(port, most);
      return skills.sized(await skills.list()).isTooLarge;
    };
    const tools = (await skillsOf().skills.list()).tools;
    const needed = toolsTokens(tools, roughTokens);
    expect([await ask(needed), await ask(needed - 1), await ask(0)]).toEqual([false, true, true]);
  });

  it('let no other skill take their names, nor those of the planner’s decisions', async () => {
    const taken = [
      'load_skill',
      'read_skill_file',
      'search_skills',
      'synthesize_answer',
      'continue_in_background',
    ];
    const all = Object.fromEntries(
      ['look', ...taken].map((key) => [key, () => Promise.resolve(succeeded('1'))]),
    );
    const { skills, call, port } = skillsOf(new ScriptedSkills(all, packs));
    expect((await skills.list()).tools.map(({ name }) => name)).toEqual(['look']);
    await call('load_skill', { skill: 'plain' });
    expect(port.called).toEqual([]);
  });
});

describe('loading', () => {
  it('gives the instructions and the list of files, whole', async () => {
    const outcome = await skillsOf().call('load_skill', { skill: ' escrituras/compraventa ' });
    expect(outcome).toMatchObject({ status: 'SUCCEEDED', preview: 'escrituras/compraventa', isSized: true });
    expect(valueOf(outcome)).toMatchObject({
      loaded: 'escrituras/compraventa',
      instructions: 'Redacta en tres partes.',
      files: ['notas.txt', 'references/art.md'],
    });
  });

  it('is not done again for what the model has before it, and is where that has left', async () => {
    const { port, skills, call } = skillsOf();
    await call('load_skill', { skill: 'plain' });
    const again = await call('load_skill', { skill: 'plain' });
    expect(again).toMatchObject({ status: 'SUCCEEDED', preview: 'plain' });
    expect(valueOf(again)).toEqual({ note: expect.stringMatching(/^Loaded already: /u) });
    skills.showed(['plain']);
    expect(valueOf(await call('load_skill', { skill: 'plain' }))).not.toHaveProperty('loaded');
    expect(port.loaded).toEqual(['plain']);
    skills.showed([]);
    expect(valueOf(await call('load_skill', { skill: 'plain' }))).toHaveProperty('loaded', 'plain');
    expect(port.loaded).toEqual(['plain', 'plain']);
  });

  it('is done once for two calls at the same time', async () => {
    const { port, call } = skillsOf();
    const both = await Promise.all([
      call('load_skill', { skill: 'plain' }),
      call('load_skill', { skill: 'plain' }),
    ]);
    expect(both.map((outcome) => 'loaded' in (valueOf(outcome) as object))).toEqual([true, false]);
    expect(port.loaded).toEqual(['plain']);
  });

  it.each([
    ['{}', 'is missing'],
    ['{', 'is missing'],
    ['{"skill":7}', 'is missing'],
    ['{"skill":"compra"}', 'There is no skill “compra” that could be loaded.'],
  ])('of %s fails in words for the model', async (input, words) => {
    const outcome = await skillsOf().call('load_skill', input);
    expect(outcome.status).toBe('FAILED');
    expect((valueOf(outcome) as { error: string }).error).toContain(words);
  });

  it('of instructions that are switched off says so', async () => {
    const port = new ScriptedSkills({}, packs);
    const list = port.list.bind(port);
    port.list = async () => ({ ...(await list()), off: [{ key: 'acta', name: 'Acta' }] });
    const { call } = skillsOf(port);
    const outcome = await call('load_skill', { skill: 'acta' });
    expect(outcome.status).toBe('FAILED');
    expect(valueOf(outcome)).toEqual({
      error: '“acta” is switched off for the company: an admin can switch it on.',
    });
  });

  it('that failed names what is nearest, and is tried again when it is asked for again', async () => {
    const { port, call } = skillsOf();
    expect((await call('load_skill', { skill: 'compraventas' })).result).toContain(
      'The nearest are: escrituras/compraventa',
    );
    port.off.add('plain');
    expect(await call('load_skill', { skill: 'plain' })).toMatchObject({ status: 'FAILED' });
    port.off.delete('plain');
    expect(await call('load_skill', { skill: 'plain' })).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('tells the model of what it can mend, and of nothing else', async () => {
    const { port, call } = skillsOf();
    const failing = (failure: Error): void => {
      port.loadPack = () => Promise.reject(failure);
    };
    failing(new SkillError('Its SKILL.md is no text.'));
    expect((await call('load_skill', { skill: 'plain' })).result).toContain('Its SKILL.md is no text.');
    failing(new Error('secret'));
    const { status, result, preview } = await call('load_skill', { skill: 'plain' });
    expect(status).toBe('FAILED');
    expect(result + preview).not.toContain('secret');
  });

  it('rejects with the reason where the turn is aborted', async () => {
    const { port, call } = skillsOf();
    const reason = new Error('Enough.');
    const controller = new AbortController();
    await expect(call('load_skill', { skill: 'plain' }, AbortSignal.abort(reason))).rejects.toBe(reason);
    port.loadPack = () => {
      controller.abort(reason);
      return Promise.reject(new Error('other words'));
    };
    await expect(call('load_skill', { skill: 'plain' }, controller.signal)).rejects.toBe(reason);
  });
});

describe('reading a file', () => {
  const skill = 'escrituras/compraventa';

  it('gives its text, in parts where it is long', async () => {
    const { call } = skillsOf();
    const short = await call('read_skill_file', { skill, path: 'notas.txt' });
    expect(valueOf(short)).toEqual({ skill, path: 'notas.txt', part: 1, parts: 1, text: 'Nota.' });
    expect(short.preview).toBe(`${skill}: notas.txt`);
    const path = 'references/art.md';
    const texts = await Promise.all(
      [1, 2, 3, 4].map(async (part) => valueOf(await call('read_skill_file', { skill, path, part }))),
    );
    expect(texts.map((value) => (value as { text: string }).text).join('')).toBe(packs[0]?.files[path]);
    expect(texts[3]).toMatchObject({ part: 4, parts: 4 });
    expect((await call('read_skill_file', { skill, path, part: 2 })).preview).toBe(`${skill}: ${path} (2/4)`);
  });

  it('gives the instructions themselves as SKILL.md', async () => {
    expect(valueOf(await skillsOf().call('read_skill_file', { skill, path: 'skill.md' }))).toMatchObject({
      text: 'Redacta en tres partes.',
    });
  });

  it.each([
    [{ path: 'notas.txt' }, 'is missing'],
    [{ skill, path: 'other.md' }, 'There is no file other.md.'],
    [{ skill }, 'There is no file .'],
    [{ skill: 'gone', path: 'a' }, 'There is no skill “gone”'],
    [{ skill: 'gone', path: 'SKILL.md' }, 'There is no skill “gone”'],
    [{ skill, path: 'notas.txt', part: 2 }, 'There is no such part: the file has 1.'],
    [{ skill, path: 'notas.txt', part: 0 }, 'There is no such part'],
  ])('%j fails in words for the model', async (input, words) => {
    const outcome = await skillsOf().call('read_skill_file', input);
    expect(outcome.status).toBe('FAILED');
    expect((valueOf(outcome) as { error: string }).error).toContain(words);
  });

  it.each([
    [
      new NoSuchPackFile({ key: skill, path: 'nota.txt' }, ['notas.txt', 'a.md'], false),
      "Le mode opératoire « escrituras/compraventa » n'a pas de fichier « nota.txt ». Les plus proches : notas.txt, a.md",
    ],
    [
      new NoSuchPackFile({ key: skill, path: 'b/SKILL.md' }, [], true),
      "Le mode opératoire « escrituras/compraventa » n'a pas de fichier « b/SKILL.md ». Un dossier qui a un SKILL.md est un mode opératoire à part, à charger par sa clé.",
    ],
    [new PackFileNotText('logo.png'), "« logo.png » n'est pas du texte : un modèle ne peut pas le lire."],
  ])('is refused in the assistant’s language: %s', async (refusal, words) => {
    const port = new ScriptedSkills({}, packs);
    port.readPackFile = () => Promise.reject(refusal);
    const { call } = skillsOf(port, 10_000, 'fr');
    const outcome = await call('read_skill_file', { skill, path: 'any' });
    expect(outcome).toMatchObject({ status: 'FAILED', preview: words });
    expect(valueOf(outcome)).toEqual({ error: words });
  });

  it('takes a part that makes no sense for the first', async () => {
    const outcome = await skillsOf().call('read_skill_file', { skill, path: 'notas.txt', part: 'two' });
    expect(valueOf(outcome)).toMatchObject({ part: 1 });
  });
});

describe('searching', () => {
  it('tells what was found, and how it is used', async () => {
    const look = () => Promise.resolve(succeeded('1'));
    const { call } = skillsOf(new ScriptedSkills({ compraventa_registro: look, look }, packs));
    const outcome = await call('search_skills', { query: 'compraventa' });
    expect(valueOf(outcome)).toEqual({
      found: [
        { key: 'compraventa_registro', description: 'Does compraventa_registro.', use: 'call' },
        {
          key: 'escrituras/compraventa',
          description: 'Tells how to do escrituras/compraventa.',
          use: 'load',
        },
      ],
      note: expect.stringContaining('use = call'),
    });
    expect(outcome.preview).toBe('compraventa_registro, escrituras/compraventa');
  });

  it('finds eight at most, and shortens what they are for', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...scriptedPack(`report-${index}`, 'x'),
      description: `Report. ${'word '.repeat(100)}`,
    }));
    const { call } = skillsOf(new ScriptedSkills({}, many));
    const { found } = valueOf(await call('search_skills', { query: 'report' })) as {
      found: { description: string }[];
    };
    expect(found).toHaveLength(8);
    expect(found[0]?.description.length).toBeLessThanOrEqual(200);
  });

  it('finds all that are not offered where they are few, those that match first', async () => {
    const look = () => Promise.resolve(succeeded('1'));
    const port = new ScriptedSkills(Object.fromEntries(['note', 'read', 'send'].map((key) => [key, look])));
    const list = port.list.bind(port);
    const offered = new Map([
      ['note', 'WHEN_FOUND' as const],
      ['send', 'WHEN_FOUND' as const],
    ]);
    port.list = async () => ({ ...(await list()), offered });
    const keysFor = async (query: string): Promise<string[]> => {
      const outcome = await skillsOf(port).call('search_skills', { query });
      return (valueOf(outcome) as { found: { key: string }[] }).found.map(({ key }) => key);
    };
    expect(await keysFor('send it')).toEqual(['send', 'note']);
    expect(await keysFor('傳送')).toEqual(['note', 'send']);
  });

  it('says what there is at all where nothing is found', async () => {
    const look = () => Promise.resolve(succeeded('1'));
    const { call } = skillsOf(new ScriptedSkills({ crm_list: look, crm_add: look, look }, packs));
    expect(valueOf(await call('search_skills', { query: 'xylophone' }))).toEqual({
      found: [],
      note: expect.stringContaining('Nothing matches'),
      categories: ['escrituras (1)'],
      tools: ['crm (2)', 'look (1)'],
    });
    expect(await call('search_skills', {})).toMatchObject({ status: 'FAILED' });
  });
});
