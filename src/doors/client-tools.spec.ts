import type { Turn } from '../conversations/turns/turn.entity.js';
import { ClientTools, toolNameOf } from './client-tools.js';

it('gives tools keys that skills may have, and their names back', () => {
  const names = ['read_page', 'changeBackground', 'change-background', '3D', 'x', 'Ünï', 'y'.repeat(100)];
  const tools = new ClientTools(names.map((name) => ({ name, description: '', parameters: {} })));
  const keys = tools.skills.map(({ key }) => key);
  expect(keys.slice(0, 5)).toEqual([
    'read_page',
    'change_background',
    'change_background_2',
    'tool_3_d',
    'tool_x',
  ]);
  for (const key of keys) expect(key).toMatch(/^[a-z][a-z0-9_]{1,62}$/);
  expect(new Set(keys).size).toBe(names.length);
  const turn = {
    clientSkills: [...tools.skills, { key: 'unnamed' }],
    client: { echo: { toolNames: tools.namesByKey } },
  } as unknown as Turn;
  expect(keys.map((key) => toolNameOf(turn, key))).toEqual(names);
  expect(toolNameOf(turn, 'unnamed')).toBe('unnamed');
  expect(toolNameOf(turn, 'search_documents')).toBeNull();
});
