import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError } from '../common/config/environment.js';
import { readModelFacts } from './models-file.js';

const folder = mkdtempSync(join(tmpdir(), 'palabre-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

function withFile(text: string, contextWindowTokens: number | null = null) {
  const modelsFile = join(folder, 'models.json');
  writeFileSync(modelsFile, text);
  return readModelFacts({ contextWindowTokens, modelsFile });
}

function problemsOf(text: string): readonly string[] {
  try {
    withFile(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('MODELS_FILE', () => {
  it('comes before what ships, and LLM_CONTEXT_WINDOW before both', () => {
    const own = '{"our-model": {"contextWindow": 4096}, "gpt-5": {"images": false}}';
    expect(withFile(own).contextWindowOf('our-model')).toBe(4096);
    expect(withFile(own).of('gpt-5')).toMatchObject({ contextWindow: 272_000, images: false });
    expect(withFile(own, 16_000).contextWindowOf('our-model')).toBe(16_000);
  });

  it.each([
    ['{"m": {"input": -1, "output": 1}}', /^MODELS_FILE must be right in m: input: /],
    ['{"m": {"input": 1}}', /^MODELS_FILE must be right in m: a price has input and output/],
    ['{"m": {"input": 1, "output": 1, "ouput": 2}}', /right in m: Unrecognized key/],
    ['{"m": {"input": "1", "output": 1}}', /right in m: input: /],
    ['[1]', /an object with an entry for each model/],
    ['{', /a JSON file that can be read \(/],
    ['x'.repeat(1_000_001), /a JSON file that can be read \(larger than 1000000 bytes\)/],
  ])('is refused where it is wrong: %#', (text, problem) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('is refused with every entry that is wrong, and when it is not there', () => {
    expect(problemsOf('{"a": {"input": 1}, "b": {"output": 1}}')).toHaveLength(2);
    const modelsFile = join(folder, 'none.json');
    expect(() => readModelFacts({ contextWindowTokens: null, modelsFile })).toThrow(/can be read \(ENOENT/);
  });
});
