import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

interface Extract {
  files: Record<string, string>;
  attributes: Record<string, { type: string; values?: string[] }>;
  metrics: Record<string, { instrument: string; unit: string }>;
}

const script = fileURLToPath(new URL('../scripts/semantic-names.js', import.meta.url));
const extract = JSON.parse(
  readFileSync(new URL('../scripts/semantic-conventions-genai.json', import.meta.url), 'utf8'),
) as Extract;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-conventions-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What the script says of what is committed; nothing: it is what it would write. */
function checked(...options: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, '--check', ...options], (_error, _out, said) => resolve(said));
  });
}

/** A folder as in the conventions' repository, which has these attributes and metrics. */
async function model({ attributes, metrics }: Extract): Promise<void> {
  const path = join(folder, 'gen-ai/registry.yaml');
  await mkdir(dirname(path), { recursive: true });
  const keys = Object.entries(attributes).map(([key, { type, values = [] }]) => ({
    key,
    type: type === 'enum' ? { members: values.map((value) => ({ id: value, value })) } : type,
    stability: 'development',
  }));
  const named = Object.entries(metrics).map(([name, metric]) => ({ name, ...metric }));
  await writeFile(path, stringify({ file_format: 'definition/2', attributes: keys, metrics: named }));
}

it('the names of spans and metrics are what the conventions say', async () => {
  expect(await checked()).toBe('');
});

it('a model that has all names, but is of another version, is not the committed one', async () => {
  await model(extract);
  const said = await checked('--model', folder, '--version', 'v9');
  expect(said).toContain('scripts/semantic-conventions-genai.json');
});

it.each([
  ['a name', (other: Extract) => delete other.attributes['gen_ai.agent.name'], 'gen_ai.agent.name'],
  [
    'a value',
    (other: Extract) => (other.attributes['gen_ai.operation.name'] = { type: 'enum', values: ['chat'] }),
    'the operation invoke_agent',
  ],
  [
    'a metric',
    (other: Extract) => delete other.metrics['gen_ai.execute_tool.duration'],
    'gen_ai.execute_tool.duration',
  ],
  [
    'a kind of metric',
    (other: Extract) =>
      (other.metrics['gen_ai.execute_tool.duration'] = { instrument: 'counter', unit: 's' }),
    'gen_ai.execute_tool.duration as a counter',
  ],
])('%s that a model does not have fails', async (_what, change, missing) => {
  const other = structuredClone(extract);
  change(other);
  await model(other);
  expect(await checked('--model', folder, '--version', 'v9')).toContain(missing);
});
